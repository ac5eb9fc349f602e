internal import Crypto
internal import EscrowJSON

/// A SHA-256 digest.
public struct Digest: Sendable, Hashable, CustomStringConvertible {
    public let bytes: [UInt8]

    public init(of bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { Digest(of: $0) }
    }

    init(of memory: UnsafeRawBufferPointer) {
        var hash = SHA256()
        hash.update(bufferPointer: memory)
        bytes = Array(hash.finalize())
    }

    /// A digest that was computed piece by piece.
    init(finishing hash: Hash) { bytes = Array(hash.state.finalize()) }

    /// Reads 64 lower-case hexadecimal digits; nil for anything else.
    public init?(hexadecimal text: String) {
        guard let bytes = Hex.read(text.utf8), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// 64 lower-case hexadecimal digits.
    public var hexadecimal: String { Hex.string(bytes) }

    /// The first 8 digits, for messages.
    public var short: String { hexadecimal.prefix(8) + "…" }

    public var description: String { hexadecimal }

    struct Hash {
        fileprivate var state = SHA256()

        mutating func update(_ piece: [UInt8]) {
            piece.withUnsafeBytes { state.update(bufferPointer: $0) }
        }
    }
}
