internal import EscrowDiagnostics
internal import EscrowFiles
internal import Glibc

/// Reads a package from its beginning to its end, once.
///
/// The envelope comes first, so that nothing else is looked at before its signature holds.
struct PackageReader: ~Copyable {
    private let file: Descriptor
    private var left: Int

    /// The name of the envelope within a package.
    static let envelopeName = "manifest.dsse.json"

    /// Opens a package: a regular file, no link.
    init(opening path: String) throws(Diagnostic) {
        let file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        let size = try Walk.checkRegular(file, path, limit: Archive.maximumBytes)
        guard size % Archive.block == 0 else {
            throw Archive.damaged("its length is not a multiple of 512 bytes")
        }
        self.file = file
        left = size
    }

    /// The envelope, which must be the first file.
    mutating func envelope() throws(Diagnostic) -> [UInt8] {
        guard let header = try next(executable: { _ in false }), header.name == Self.envelopeName else {
            throw Archive.damaged("it does not begin with \(Self.envelopeName)")
        }
        guard header.size <= Envelope.maximumBytes else { throw Archive.damaged("its envelope is too large") }
        var bytes: [UInt8] = []
        try content(header) { piece throws(Diagnostic) in bytes += piece }
        return bytes
    }

    /// The next file; nil at the end, which must be two zero blocks and nothing more.
    mutating func next(executable: (String) -> Bool) throws(Diagnostic) -> Archive.Header? {
        let bytes = try take(Archive.block)
        if let header = try Archive.read(bytes, executable: executable) { return header }
        guard left == Archive.block, try take(Archive.block).allSatisfy({ $0 == 0 }), left == 0 else {
            throw Archive.damaged("there is something after its end")
        }
        guard try file.read(1).isEmpty else { throw Archive.damaged("it grew while it was read") }
        return nil
    }

    /// Hands out the content of the file whose header was read last, in pieces.
    mutating func content(
        _ header: Archive.Header, _ body: ([UInt8]) throws(Diagnostic) -> Void
    ) throws(Diagnostic) {
        var rest = header.size
        while rest > 0 {
            let piece = try take(min(rest, 1 << 20))
            rest -= piece.count
            try body(piece)
        }
        guard try take(Archive.padding(header.size)).allSatisfy({ $0 == 0 }) else {
            throw Archive.damaged("the padding after a file in it is not zero")
        }
    }

    private mutating func take(_ count: Int) throws(Diagnostic) -> [UInt8] {
        guard count <= left else { throw Archive.damaged("it ends too early") }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let piece = try file.read(count - bytes.count)
            guard !piece.isEmpty else { throw Archive.damaged("it ends too early") }
            bytes += piece
        }
        left -= count
        return bytes
    }
}
