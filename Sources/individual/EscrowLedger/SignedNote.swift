import EscrowDiagnostics
import EscrowJSON

/// A text with signatures below it (C2SP signed-note): what a checkpoint is sent, kept and checked as.
///
///     escrow-ledger/5f0c…
///     12
///     jdY2…=
///
///     — escrow-ledger/5f0c… wXvLk…=
struct SignedNote: Sendable, Equatable {
    /// What is signed: lines, each with its end, none of them empty.
    let text: String
    /// The signatures below it, each for a key's name.
    let signatures: [Signature]

    struct Signature: Sendable, Equatable {
        let name: String
        /// The first bytes of a digest of name and key: which key it is said to be.
        let hint: [UInt8]
        let bytes: [UInt8]
    }

    init(text: String, name: String, signer: some HeadSigner) throws(Diagnostic) {
        self.text = text
        let signature = try signer.sign(Array(text.utf8))
        signatures = [
            Signature(name: name, hint: Self.hint(name: name, key: signer.publicKey), bytes: signature)
        ]
    }

    init(text: String, signatures: [Signature]) {
        self.text = text
        self.signatures = signatures
    }

    var note: String {
        text + "\n"
            + signatures.map { "— \($0.name) \(Base64.encode($0.hint + $0.bytes))\n" }.joined()
    }

    /// Takes a note apart; nil for anything that `note` would not write.
    init?(note: String) {
        // By bytes: a line feed after a carriage return would be one character with it.
        guard let split = Self.blankLine(in: Array(note.utf8)) else { return nil }
        let all = Array(note.utf8)
        text = String(decoding: all[..<split], as: UTF8.self)
        var found: [Signature] = []
        let lines = all[(split + 1)...].split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.count >= 2, lines.last?.isEmpty == true, lines.count <= 17 else { return nil }
        for line in lines.dropLast() {
            let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0].elementsEqual("—".utf8), !parts[1].isEmpty,
                let bytes = Base64.decode(Array(parts[2])), bytes.count > 4
            else { return nil }
            found.append(
                Signature(
                    name: String(decoding: parts[1], as: UTF8.self), hint: Array(bytes.prefix(4)),
                    bytes: Array(bytes.dropFirst(4))))
        }
        signatures = found
        guard self.note.utf8.elementsEqual(note.utf8) else { return nil }
    }

    enum Verdict: Equatable {
        case good
        /// Signed by other keys only.
        case foreign
        /// A signature that says it is the key's, and is not.
        case bad
    }

    /// Checks the signature of a key under a name.
    func verdict(name: String, verifier: some HeadVerifier) -> Verdict {
        let hint = Self.hint(name: name, key: verifier.publicKey)
        guard let signature = signatures.first(where: { $0.name == name && $0.hint == hint }) else {
            return .foreign
        }
        return verifier.isValid(signature: signature.bytes, for: Array(text.utf8)) ? .good : .bad
    }

    /// The hint of an Ed25519 key: SHA-256(name || 0x0A || 0x01 || key), the first 4 bytes.
    static func hint(name: String, key: [UInt8]) -> [UInt8] {
        Array(Hashing.sha256(Array(name.utf8), [0x0A, 0x01], key).prefix(4))
    }

    /// The key as Go's `note` and other tools take it: `NAME+HINT+BASE64`.
    static func verifierKey(name: String, key: [UInt8]) -> String {
        "\(name)+\(Hex.string(hint(name: name, key: key)))+\(Base64.encode([0x01] + key))"
    }

    private static func blankLine(in bytes: [UInt8]) -> Int? {
        var last: Int?
        for index in bytes.indices.dropFirst() where bytes[index] == 0x0A && bytes[index - 1] == 0x0A {
            last = index
        }
        return last
    }
}
