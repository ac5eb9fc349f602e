internal import Crypto
internal import FoundationEssentials

/// A key that vouches for having seen a ledger's head, and for never having seen one that contradicts it (C2SP
/// tlog-cosignature, Ed25519 cosignature/v1).
public struct Witness: Sendable {
    /// Its name in signatures.
    public let name: String
    private let key: Curve25519.Signing.PrivateKey

    /// - Parameter seed: 32 bytes; nil for other lengths.
    public init?(name: String, seed: [UInt8]) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else { return nil }
        self.name = name
        self.key = key
    }

    public static func newSeed() -> [UInt8] { Array(Curve25519.Signing.PrivateKey().rawRepresentation) }

    public var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

    /// The head with this witness's signature below it.
    ///
    /// - Parameter seconds: when, in seconds since 1970.
    public func cosigned(_ head: LedgerHead, at seconds: UInt64) -> LedgerHead? {
        guard let signature = try? key.signature(for: Self.statement(head.note.text, seconds)) else {
            return nil
        }
        let time = (0..<8).map { UInt8(truncatingIfNeeded: seconds >> (56 - 8 * $0)) }
        let mine = SignedNote.Signature(
            name: name, hint: Self.hint(name, publicKey), bytes: time + Array(signature))
        return LedgerHead(note: head.note.adding(mine), checkpoint: head.checkpoint)
    }

    static func statement(_ text: String, _ seconds: UInt64) -> [UInt8] {
        Array("cosignature/v1\ntime \(seconds)\n\(text)".utf8)
    }

    /// Another algorithm's byte than that of a host's signature: neither counts for the other.
    static func hint(_ name: String, _ key: [UInt8]) -> [UInt8] {
        Array(Hashing.sha256(Array(name.utf8), [0x0A, 0x04], key).prefix(4))
    }
}

extension LedgerHead {
    /// When the witness of that name and key cosigned this head, in seconds since 1970; nil where it did not.
    public func cosignedAt(by name: String, key: [UInt8]) -> UInt64? {
        let hint = Witness.hint(name, key)
        guard let found = note.signatures.first(where: { $0.name == name && $0.hint == hint }),
            found.bytes.count == 72,
            let verifier = try? Curve25519.Signing.PublicKey(rawRepresentation: key)
        else { return nil }
        let seconds = found.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let isValid = verifier.isValidSignature(
            found.bytes.dropFirst(8), for: Witness.statement(note.text, seconds))
        return isValid ? seconds : nil
    }
}

extension SignedNote {
    /// The same text with one signature more; an earlier one of the same key goes.
    func adding(_ signature: Signature) -> SignedNote {
        SignedNote(
            text: text,
            signatures: signatures.filter { $0.name != signature.name || $0.hint != signature.hint }
                + [signature])
    }
}
