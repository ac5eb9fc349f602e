import EscrowDiagnostics
import EscrowJSON

/// The content of `head.0` or `head.1`: a signed head, and beside it the line that it was signed for.
///
/// The two files take turns. A head is written, with its record, before the log is touched: so after a crash at any
/// point the older head is whole, or the newer one is and holds the record that the log may lack.
struct HeadSlot: Sendable, Equatable {
    /// What the host vouches for.
    let head: Head
    /// The last record.
    let line: RecordLine

    /// The files grow in steps of this many bytes, so that most writes leave their length alone: then fdatasync(2) has
    /// no metadata to write.
    private static let step = 4096
    /// The most bytes of such a file.
    static let maximum = 1 << 20

    /// The name of the file whose turn it is.
    static func name(for size: UInt64) -> String { "head.\(size & 1)" }

    /// The bytes of the file.
    func bytes(signedBy signer: some HeadSigner) throws(Diagnostic) -> [UInt8] {
        let payload = head.payload
        let signature = try signer.sign(Head.message(payload))
        var bytes = payload
        bytes.append(0x0A)
        bytes += Self.signatureLine(signer.keyID, signature)
        bytes.append(0x0A)
        bytes += line.bytes
        bytes.append(0x0A)
        let length = (bytes.count + Self.step) / Self.step * Self.step
        bytes += repeatElement(0x20, count: length - bytes.count - 1)
        bytes.append(0x0A)
        return bytes
    }

    /// Puts a head and its record together.
    init(head: Head, line: RecordLine) {
        self.head = head
        self.line = line
    }

    /// Why the content of a file does not count.
    enum Refusal: Error, Equatable {
        /// Cut off, altered, or signed by nobody we know: after a crash, a write that did not finish.
        case unsound
        /// Whole, but by another key.
        case foreignKey
    }

    /// Reads the content of a file and checks every byte of it.
    init(_ bytes: [UInt8], verifier: some HeadVerifier) throws(Refusal) {
        guard !bytes.isEmpty, bytes.count.isMultiple(of: Self.step), bytes.last == 0x0A else {
            throw .unsound
        }
        let parts = bytes.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[3].allSatisfy({ $0 == 0x20 }),
            let (keyID, signature) = Self.signature(Array(parts[1]))
        else { throw .unsound }
        guard keyID == verifier.keyID else { throw .foreignKey }
        guard verifier.isValid(signature: signature, for: Head.message(Array(parts[0]))),
            let head = Head(payload: Array(parts[0])), let line = try? RecordLine(Array(parts[2])),
            line.commitment == head.last, head.bytes > line.bytes.count
        else { throw .unsound }
        self.init(head: head, line: line)
        // One content has one spelling, here too.
        guard parts[1].elementsEqual(Self.signatureLine(keyID, signature)) else { throw .unsound }
    }

    /// Where the last line begins in the log.
    var lineStart: Int64 { head.bytes - Int64(line.bytes.count) - 1 }

    private static func signatureLine(_ keyID: String, _ signature: [UInt8]) -> [UInt8] {
        JSONWriter.line(["keyid": .string(keyID), "signature": .string(Hex.string(signature))])
    }

    private static func signature(_ line: [UInt8]) -> (keyID: String, signature: [UInt8])? {
        guard let node = try? JSONParser.parse(line, limits: .init(depth: 1, bytes: 1024, values: 8)),
            var object = try? JSONObjectReader(node),
            let keyID = try? object.required("keyid").requireString(),
            let text = try? object.required("signature").requireString(),
            (try? object.finish()) != nil, let signature = Hex.read(text.utf8)
        else { return nil }
        return (keyID, signature)
    }
}
