/// Arithmetic over GF(2⁸), eight bytes in a word, and words in loops that the compiler makes wide. A secret byte is neither an
/// index nor a condition, so time and caches say nothing about it: what is multiplied by (a share's number, a weight) is public.
struct Field: Sendable {
    /// What stands for the polynomial's terms below x⁸.
    private let reduction: UInt64
    private static let lowest: UInt64 = 0x0101_0101_0101_0101

    /// x⁸ + x⁴ + x³ + x² + 1: that of libgfshare, and ours.
    static let standard = Field(0x1d)

    init(_ reduction: UInt8) { self.reduction = UInt64(reduction) &* Self.lowest }

    /// Each byte times x: where the highest bit falls out, the reduction comes in.
    @inline(__always) private func doubled(_ word: UInt64) -> UInt64 {
        let carried = (word &>> 7) & Self.lowest
        return ((word & ~(Self.lowest &<< 7)) &<< 1) ^ (((carried &<< 8) &- carried) & reduction)
    }

    /// The sum of rows, each times a public weight. What all weights have at one bit is added together and doubled together, so
    /// the doublings cost the same for any number of rows.
    func sum(of rows: [(weight: UInt8, words: [UInt64])]) -> [UInt64] {
        var result = [UInt64](repeating: 0, count: rows.first?.words.count ?? 0)
        let bits = 8 - rows.reduce(0) { $0 | $1.weight }.leadingZeroBitCount
        result.withUnsafeMutableBufferPointer { result in
            // Blocks that stay in the nearest cache.
            for start in stride(from: 0, to: result.count, by: 512) {
                let block = start..<min(start + 512, result.count)
                for bit in (0..<bits).reversed() {
                    for index in block { result[index] = doubled(result[index]) }
                    for row in rows where row.weight >> UInt8(bit) & 1 == 1 {
                        row.words.withUnsafeBufferPointer { row in
                            for index in block { result[index] ^= row[index] }
                        }
                    }
                }
            }
        }
        return result
    }

    /// A polynomial's value at a public place: `rows` holds the secret first, then a row for each power.
    func value(of rows: [[UInt64]], at place: UInt8) -> [UInt64] {
        var power: UInt8 = 1
        return sum(
            of: rows.map { row in
                defer { power = product(power, place) }
                return (power, row)
            })
    }

    /// What the polynomial that takes these values at these different places has at place 0.
    func secret(of values: [(place: UInt8, words: [UInt64])]) -> [UInt64] {
        sum(
            of: values.map { place, words in
                var weight: UInt8 = 1
                for (other, _) in values where other != place {
                    weight = product(weight, product(other, inverse(other ^ place)))
                }
                return (weight, words)
            })
    }

    // MARK: Public bytes

    func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result: UInt64 = 0
        for bit in (0..<8).reversed() {
            result = doubled(result) ^ (right >> UInt8(bit) & 1 == 1 ? UInt64(left) : 0)
        }
        return UInt8(truncatingIfNeeded: result)
    }

    /// One divided by a byte that is not zero: its 254th power.
    func inverse(_ value: UInt8) -> UInt8 { (0..<254).reduce(1) { power, _ in product(power, value) } }
}
