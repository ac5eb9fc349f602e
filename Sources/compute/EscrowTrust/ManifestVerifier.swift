public import EscrowDiagnostics
public import EscrowManifest

/// Everything that is checked about a signed manifest, in one place and one order.
public struct ManifestVerifier: Sendable {
    public let trust: TrustStore
    public let revocations: Revocations
    public let ratchet: Ratchet
    /// The time that counts; see ``Clock``.
    public let now: Moment
    /// The id of this installation, for manifests that name an audience.
    public let installation: String?
    /// Whether an older sequence is wanted.
    public var allowsRollback = false

    public init(
        trust: TrustStore, revocations: Revocations, ratchet: Ratchet, now: Moment, installation: String?
    ) {
        self.trust = trust
        self.revocations = revocations
        self.ratchet = ratchet
        self.now = now
        self.installation = installation
    }

    public struct Verified: Sendable {
        public let manifest: Manifest
        public let digest: Digest
        public let keys: [PublicKey]
        /// Whether its files were there; false for a device's part of a confidential plugin.
        public internal(set) var hasCode = true
    }

    /// Verifies an envelope and reads the manifest in it: first the signature, then the text, whether these signers may speak
    /// for this id now, time, audience, revocation, rollback, and the host's version. `subject` names it in messages until its
    /// own name is known.
    public func verify(_ envelope: Envelope, subject: String) throws(Diagnostic) -> Verified {
        try judge(
            SignedManifest(envelope, keys: trust.keys(for: .pluginManifest), subject: subject))
    }

    /// The same of an envelope's bytes, whose signature may be known from before.
    func verify(
        envelope bytes: [UInt8], subject: String, memory: SignedManifests?
    ) throws(Diagnostic) -> Verified {
        guard let memory else {
            return try verify(
                Envelope(parsing: bytes, file: PackageReader.envelopeName), subject: subject)
        }
        return try judge(
            memory.manifest(bytes, keys: trust.keys(for: .pluginManifest), subject: subject))
    }

    /// All that is judged anew for every run, though the signature holds.
    private func judge(_ signed: SignedManifest) throws(Diagnostic) -> Verified {
        let manifest = signed.manifest
        let digest = signed.digest
        let keys: [PublicKey]
        switch trust.judge(signed.signers, for: .pluginManifest, id: manifest.id, at: now) {
        case .success(let trusted): keys = trusted
        case .failure(let reason): throw reason.diagnostic(Self.name(manifest))
        }
        if let reason = refusal(manifest, digest, keys, signers: signed.signers) {
            throw reason.diagnostic(Self.name(manifest))
        }
        guard manifest.host.contains(.host) else { throw Self.otherHost(manifest) }
        return Verified(manifest: manifest, digest: digest, keys: keys)
    }

    private func refusal(
        _ manifest: Manifest, _ digest: Digest, _ keys: [PublicKey], signers: [PublicKey]
    ) -> Verification.Reason? {
        // A day of difference between two clocks is common; more is a manifest from the future or a wrong clock.
        if manifest.issued > now.adding(days: 1) { return .notYetValid(from: manifest.issued.description) }
        if now >= manifest.expires { return .expired(at: manifest.expires.description) }
        if !manifest.audience.isEmpty {
            guard let installation, manifest.audience.contains(installation) else {
                return .notForThisInstallation
            }
        }
        if let what = revocations.match(
            manifest: digest, id: manifest.id, version: manifest.version, keys: signers)
        {
            return .revoked(what: what)
        }
        return allowsRollback ? nil : ratchet.check(manifest.id, sequence: manifest.sequence, keys: keys)
    }

    private static func otherHost(_ manifest: Manifest) -> Diagnostic {
        Diagnostic(
            .forAnotherVersionOfEscrow,
            "\(name(manifest)) is for escrow \(manifest.host), and this is \(SemanticVersion.host)",
            help: "install the version of the plugin for this escrow, or update escrow")
    }

    /// What a plugin is called in messages: `average-age 1.2.0`.
    static func name(_ manifest: Manifest) -> String {
        "\(PluginID.shortName(manifest.id)) \(manifest.version)"
    }
}
