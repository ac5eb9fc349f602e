/// SipHash (Aumasson and Bernstein, 2012): a keyed digest in 64 bits, in which nobody without the key can make two texts
/// collide, nor tell a text from its digest.
public struct SipHash: Sendable, Equatable {
    /// The key's halves.
    public let first: UInt64
    public let second: UInt64

    /// A key of the system's randomness.
    public init() {
        var generator = SystemRandomNumberGenerator()
        first = generator.next()
        second = generator.next()
    }

    /// Takes both halves of a key.
    public init(_ first: UInt64, _ second: UInt64) {
        self.first = first
        self.second = second
    }

    /// SipHash-`rounds`-`last` of some bytes: 2-4 as its authors propose it, 1-3 where it only spreads keys in a table,
    /// as Swift's own `Hasher`.
    @inlinable
    public func digest(_ bytes: UnsafeRawBufferPointer, rounds: Int, last: Int) -> UInt64 {
        var state = (
            first ^ 0x736F_6D65_7073_6575, second ^ 0x646F_7261_6E64_6F6D, first ^ 0x6C79_6765_6E65_7261,
            second ^ 0x7465_6462_7974_6573
        )
        @inline(__always) func mix(_ count: Int) {
            for _ in 0..<count {
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
        }
        let words = bytes.count / 8
        for index in 0..<words {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
            state.3 ^= word
            mix(rounds)
            state.0 ^= word
        }
        var rest = UInt64(bytes.count & 0xFF) << 56
        for index in words * 8..<bytes.count { rest |= UInt64(bytes[index]) << UInt64((index & 7) * 8) }
        state.3 ^= rest
        mix(rounds)
        state.0 ^= rest
        state.2 ^= 0xFF
        mix(last)
        return state.0 ^ state.1 ^ state.2 ^ state.3
    }
}
