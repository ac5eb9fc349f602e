internal import Crypto

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
        let digits = Array(text.utf8)
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 64, by: 2) {
            guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        self.bytes = bytes
    }

    /// 64 lower-case hexadecimal digits.
    public var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The first 8 digits, for messages.
    public var short: String { hexadecimal.prefix(8) + "…" }

    public var description: String { hexadecimal }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }

    struct Hash {
        fileprivate var state = SHA256()

        mutating func update(_ piece: [UInt8]) {
            piece.withUnsafeBytes { state.update(bufferPointer: $0) }
        }
    }
}
