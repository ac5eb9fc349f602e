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
    /// Manifests as earlier verifications of this process read them.
    var readings: ManifestReadings?

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
    }

    /// Verifies an envelope and reads the manifest in it: first the signature, then the text, whether these signers may speak
    /// for this id now, time, audience, revocation, rollback, and the host's version. `subject` names it in messages until its
    /// own name is known.
    public func verify(_ envelope: Envelope, subject: String) throws(Diagnostic) -> Verified {
        let payload: VerifiedPayload
        switch envelope.verify(as: .pluginManifest, keys: trust.keys(for: .pluginManifest)) {
        case .success(let verified): payload = verified
        case .failure(let reason): throw reason.diagnostic(subject)
        }
        let manifest =
            if let readings { try readings.manifest(payload.bytes) } else {
                try Manifest.parse(payload.bytes, file: "plugin.json")
            }
        let digest = payload.digest
        let keys: [PublicKey]
        switch trust.judge(payload.keys, for: .pluginManifest, id: manifest.id, at: now) {
        case .success(let trusted): keys = trusted
        case .failure(let reason): throw reason.diagnostic(Self.name(manifest))
        }
        if let reason = refusal(manifest, digest, keys, signers: payload.keys) {
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

/// The time that expiry is checked against: the machine's, but never earlier than what the ledger has seen.
public struct Clock: Sendable {
    public let now: Moment
    /// A warning when the machine's clock is behind; nil otherwise.
    public let warning: Diagnostic?

    /// Compares the machine's time with the latest that was ever recorded here.
    public init(machine: Moment, floor: Moment?) {
        guard let floor, machine < floor else {
            now = machine
            warning = nil
            return
        }
        now = floor
        warning = Diagnostic(
            .clockBehind, "the clock says \(machine), and this host has seen \(floor) already",
            notes: ["expiry is checked against the later of the two"], help: "check the clock: `date -u`",
            severity: .warning)
    }
}
