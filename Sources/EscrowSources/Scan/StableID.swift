/// Names for things that have none of their own: the same as long as the file stays where it is.
///
/// FNV-1a with 128 bits, in hexadecimal. It names; it does not hide: whoever can guess a path can compute its name.
enum StableID {
    /// A name for what lies at `path`, or for its part number `part`.
    static func name(_ path: String, part: Int? = nil) -> String {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013b
        func mix(_ byte: UInt8) { hash = (hash ^ UInt128(byte)) &* prime }
        for byte in path.utf8 { mix(byte) }
        if let part {
            // A path holds no NUL, so no path is another path and a part.
            mix(0)
            for shift in stride(from: 0, to: 64, by: 8) { mix(UInt8(truncatingIfNeeded: part >> shift)) }
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}
