public import EscrowDiagnostics

/// A payload whose signature holds: the only bytes that may be parsed.
public struct VerifiedPayload: Sendable {
    public let bytes: [UInt8]
    /// The distinct trusted keys that signed them, at least one.
    public let keys: [PublicKey]

    public var digest: Digest { Digest(of: bytes) }
}

extension Envelope {
    /// Checks the signatures against keys that are trusted for something; the payload is not looked into.
    ///
    /// The payload type is compared first, by equality. Signatures by unknown keys are ignored; one bad signature by a
    /// known key makes the whole envelope altered, whatever other keys say; the same key never counts twice.
    public func verify(as type: PayloadType, keys: [PublicKey]) -> Result<
        VerifiedPayload, Verification.Reason
    > {
        guard payloadType.utf8.elementsEqual(type.rawValue.utf8) else {
            return .failure(.wrongPayloadType(expected: type))
        }
        guard !signatures.isEmpty else { return .failure(.unsigned) }
        let message = Self.preauthenticated(payload, type.rawValue)
        var signers: [PublicKey] = []
        for signature in signatures {
            guard let key = keys.first(where: { $0.id.description == signature.keyID }) else { continue }
            guard key.isValid(signature.bytes, for: message) else {
                return .failure(.altered(signer: key.id))
            }
            if !signers.contains(key) { signers.append(key) }
        }
        guard !signers.isEmpty else {
            return .failure(.unknownSigner(claimed: signatures.map(\.keyID)))
        }
        return .success(VerifiedPayload(bytes: payload, keys: signers))
    }
}

/// The verdict about a signed thing: what it holds and whose keys signed it, or a reason; never a Bool.
public enum Verification {
    public enum Reason: Error, Sendable, Equatable {
        case unsigned
        case unknownSigner(claimed: [String])
        /// A known key's signature does not fit these bytes.
        case altered(signer: KeyID)
        /// The signature is good, and a file is not the one that was signed.
        case alteredFile(path: String, signed: String, found: String)
        /// The signature is for something else.
        case wrongPayloadType(expected: PayloadType)
        /// The signer is known, but not for this id, this kind of thing, or not now.
        case signerNotForThis(id: String, signer: KeyID)
        /// Fewer distinct trusted signers than the trust store demands.
        case tooFewSigners(id: String, found: Int, needed: Int)
        case expired(at: String)
        case notYetValid(from: String)
        case revoked(what: String)
        /// Older than what was installed before, signed with the same key or with another that counts.
        case rolledBack(sequence: Int64, installed: Int64)
        case notForThisInstallation
    }
}

extension Verification.Reason {
    /// The reason as people read it; `subject` names the thing, for example `average-age 1.2.0` or a file.
    public func diagnostic(_ subject: String) -> Diagnostic {
        switch self {
        case .unsigned:
            Diagnostic(
                .unsigned, "\(subject) is not signed",
                help:
                    "plugin authors: `escrow plugin pack --key NAME`; everybody else: get it from its publisher"
            )
        case .unknownSigner(let claimed):
            Diagnostic(
                .unknownSigner, "\(subject) is signed by nobody whom this host trusts",
                notes: [
                    "it claims to be signed by " + claimed.map { Self.printable($0) }.joined(separator: ", ")
                ],
                help: "get the publisher's key by another route, compare, then `escrow trust add`")
        case .altered(let signer):
            Diagnostic(
                .envelopeAltered, "\(subject) was altered after signing",
                notes: ["the signature by \(signer.short) does not fit these bytes"],
                help: "fetch the package again; if you built it yourself, run `escrow plugin pack --key NAME`"
            )
        case .alteredFile(let path, let signed, let found):
            Diagnostic(
                .fileAltered, "\(subject) was altered after signing",
                notes: [
                    "\(path)   signed \(signed)  found \(found)",
                    "the signature itself is good; the file is not the signed one",
                ],
                help: "fetch the package again; if you built it yourself, run `escrow plugin pack --key NAME`"
            )
        case .wrongPayloadType(let expected):
            Diagnostic(
                .wrongPayloadType, "\(subject) is signed as something else than a \(expected.word)",
                help: "a signature counts for one kind of document only")
        case .signerNotForThis(let id, let signer):
            Diagnostic(
                .signerNotTrustedForThis,
                "\(subject) is signed by \(signer.short), which is not trusted for \(id) now",
                help: "`escrow trust list` shows for which ids, kinds and times each key is trusted")
        case .tooFewSigners(let id, let found, let needed):
            Diagnostic(
                .tooFewSignatures,
                "\(subject) has \(found) of the \(needed) signatures that this host demands for \(id)",
                notes: [
                    "a key and those that followed it by a rotation count as one, and one that is over not at all"
                ],
                help:
                    "ask the publisher for a package with all signatures; escrow trust list shows who must sign"
            )
        case .expired(let at):
            Diagnostic(
                .expired, "\(subject) expired on \(at)",
                help: "install a newer version; check the clock if this is wrong")
        case .notYetValid(let from):
            Diagnostic(
                .notYetValid, "\(subject) is not valid before \(from)",
                help: "check the clock of this machine: `date -u`")
        case .revoked(let what):
            Diagnostic(
                .revoked, "\(subject) was revoked: \(what)",
                help: "install a newer version, or remove the plugin")
        case .rolledBack(let sequence, let installed):
            Diagnostic(
                .pluginRolledBack,
                "rollback: \(subject) (sequence \(sequence)) is older than sequence \(installed), which a key that you trust signed before",
                help:
                    "to go back on purpose: escrow plugin install --allow-rollback … (recorded in the ledger); if two publishers sign for these ids: escrow trust remove one of them"
            )
        case .notForThisInstallation:
            Diagnostic(
                .notForThisInstallation, "\(subject) is signed for other installations than this one",
                help: "ask the publisher for a package for this installation")
        }
    }

    /// A key id that nobody verified, cut down to what an id can look like.
    private static func printable(_ text: String) -> String {
        String(
            text.unicodeScalars.prefix(60).map {
                $0.isASCII && $0.value > 0x20 && $0.value < 0x7F ? Character($0) : "?"
            })
    }
}
