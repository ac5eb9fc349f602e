/// Fowler, Noll and Vo's hash 1a with 64 bits.
@usableFromInline package enum FNV {
    @inlinable package static func hash(
        _ bytes: some Sequence<UInt8>, from start: UInt64 = 0xCBF2_9CE4_8422_2325
    ) -> UInt64 {
        bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// The same of numbers, eight bytes each.
    @inlinable package static func hash(words: [UInt64], from start: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64
    {
        words.withUnsafeBytes { hash($0, from: start) }
    }

    /// A sum against torn and rotten bytes, not against people: eight bytes a step, folded. Each step loses nothing, so one
    /// rotten word always shows before the fold.
    package static func sum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
        var at = 0
        while at + 8 <= bytes.count {
            mix(bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self).littleEndian, into: &hash)
            at += 8
        }
        var last: UInt64 = 0
        while at < bytes.count {
            last = last << 8 | UInt64(bytes[at])
            at += 1
        }
        mix(last, into: &hash)
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }

    private static func mix(_ word: UInt64, into hash: inout UInt64) {
        hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        // The multiplication carries upward alone.
        hash ^= hash >> 29
    }
}
