/// The key by which the records that a run read are told apart: SipHash-2-4 (Aumasson and Bernstein, 2012) of a
/// record's id. A new key for each run, so that the digests of two cannot be compared.
public struct RecordKey: Sendable, Equatable {
    private let first: UInt64
    private let second: UInt64

    /// A key of the system's randomness.
    public init() {
        var generator = SystemRandomNumberGenerator()
        first = generator.next()
        second = generator.next()
    }

    /// Takes both halves.
    init(_ first: UInt64, _ second: UInt64) {
        self.first = first
        self.second = second
    }

    /// Reads 32 hexadecimal digits.
    public init?(_ text: String) {
        guard text.utf8.count == 32, let first = UInt64(text.prefix(16), radix: 16),
            let second = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(first, second)
    }

    /// 32 hexadecimal digits.
    public var text: String {
        [first, second].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// The digest of a record's id.
    public func hash(_ id: [UInt8]) -> UInt64 { id.withUnsafeBytes { hash($0) } }

    /// The digest of a record's id in memory.
    public func hash(_ id: UnsafeRawBufferPointer) -> UInt64 {
        var state = (
            first ^ 0x736F_6D65_7073_6575, second ^ 0x646F_7261_6E64_6F6D, first ^ 0x6C79_6765_6E65_7261,
            second ^ 0x7465_6462_7974_6573
        )
        @inline(__always) func round() {
            state.0 &+= state.1
            state.1 = (state.1 << 13 | state.1 >> 51) ^ state.0
            state.0 = state.0 << 32 | state.0 >> 32
            state.2 &+= state.3
            state.3 = (state.3 << 16 | state.3 >> 48) ^ state.2
            state.0 &+= state.3
            state.3 = (state.3 << 21 | state.3 >> 43) ^ state.0
            state.2 &+= state.1
            state.1 = (state.1 << 17 | state.1 >> 47) ^ state.2
            state.2 = state.2 << 32 | state.2 >> 32
        }
        let words = id.count / 8
        for index in 0..<words {
            let word = UInt64(littleEndian: id.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
            state.3 ^= word
            round()
            round()
            state.0 ^= word
        }
        var last = UInt64(id.count & 0xFF) << 56
        for index in words * 8..<id.count { last |= UInt64(id[index]) << UInt64((index & 7) * 8) }
        state.3 ^= last
        round()
        round()
        state.0 ^= last
        state.2 ^= 0xFF
        for _ in 0..<4 { round() }
        return state.0 ^ state.1 ^ state.2 ^ state.3
    }
}
