internal import EscrowDiagnostics
internal import EscrowManifest
internal import Synchronization

/// A manifest whose signature holds, and who made it. It follows from the bytes of its envelope and from the keys that are known,
/// and from nothing else: whether these signers may speak for it today is another question.
struct SignedManifest: Sendable {
    let manifest: Manifest
    /// Of the manifest's exact bytes.
    let digest: Digest
    /// The distinct known keys that signed it, at least one.
    let signers: [PublicKey]

    /// Checks the signature first, then reads what was signed. `subject` names it in messages.
    init(_ envelope: Envelope, keys: [PublicKey], subject: String) throws(Diagnostic) {
        switch envelope.verify(as: .pluginManifest, keys: keys) {
        case .success(let payload):
            manifest = try Manifest.parse(payload.bytes, file: "plugin.json")
            digest = payload.digest
            signers = payload.keys
        case .failure(let reason): throw reason.diagnostic(subject)
        }
    }
}

/// Signed manifests that a host which stays keeps: the same bytes under the same keys have the same signature.
///
/// The bytes are read anew each time and compared whole, so no file can pass for another by its size or its times.
final class SignedManifests: Sendable {
    private static let most = 16

    private struct Entry {
        let envelope: [UInt8]
        let keys: [PublicKey]
        let signed: SignedManifest
    }
    /// The one used last is last.
    private let entries = Mutex<[Entry]>([])

    /// The manifest in the bytes of an envelope. Throws what `SignedManifest` throws; that is not kept.
    func manifest(
        _ bytes: [UInt8], keys: [PublicKey], subject: String
    ) throws(Diagnostic) -> SignedManifest {
        let known = entries.withLock { entries -> SignedManifest? in
            guard let index = entries.firstIndex(where: { $0.envelope == bytes && $0.keys == keys }) else {
                return nil
            }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry.signed
        }
        if let known { return known }
        let envelope = try Envelope(parsing: bytes, file: PackageReader.envelopeName)
        let signed = try SignedManifest(envelope, keys: keys, subject: subject)
        entries.withLock { entries in
            entries.append(Entry(envelope: bytes, keys: keys, signed: signed))
            if entries.count > Self.most { entries.removeFirst() }
        }
        return signed
    }
}
