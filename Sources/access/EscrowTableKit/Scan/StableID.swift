/// Names for things that have none of their own: the same as long as the file stays where it is.
///
/// FNV-1a with 128 bits, in hexadecimal. It names and does not hide: anyone who can guess a path can compute its name.
@usableFromInline package enum StableID {
    /// What the hash of no bytes is.
    @inlinable package static var start: UInt128 { 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d }

    /// A name for what lies at `path`, or for its part number `part`.
    package static func name(_ path: String, part: Int? = nil) -> String {
        var state = hash(path.utf8)
        if let part {
            // A path holds no NUL, so no path is another path and a part.
            state = hash(CollectionOfOne(0), from: state)
            withUnsafeBytes(of: Int64(part).littleEndian) { state = hash($0, from: state) }
        }
        return spell(state) { String(decoding: $0, as: UTF8.self) }
    }

    /// The hash of bytes behind those that were hashed before.
    @inlinable package static func hash(_ bytes: some Sequence<UInt8>, from state: UInt128 = start) -> UInt128
    {
        let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013b
        return bytes.reduce(state) { ($0 ^ UInt128($1)) &* prime }
    }

    /// The name that a hash is: 32 digits, valid within `body` only.
    package static func spell<Result>(_ hash: UInt128, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { digits in
            for (half, place) in [
                (UInt64(truncatingIfNeeded: hash >> 64), 0), (UInt64(truncatingIfNeeded: hash), 16),
            ] {
                for index in 0..<16 {
                    let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - index * 4)) & 15
                    digits[place + index] = digit < 10 ? 0x30 + digit : 0x57 + digit
                }
            }
            return body(UnsafeRawBufferPointer(digits))
        }
    }
}
