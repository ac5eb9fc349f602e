/// Arithmetic over GF(2⁸), eight bytes in a word. A secret byte is neither an index nor a condition, so time and caches say
/// nothing about it: what is multiplied by (a share's number, a weight) is public.
struct Field: Sendable {
    /// What stands for the polynomial's terms below x⁸, in each byte.
    private let reduction: UInt64
    private static let lowest: UInt64 = 0x0101_0101_0101_0101

    /// x⁸ + x⁴ + x³ + x² + 1: that of libgfshare, and ours.
    static let standard = Field(0x1d)

    init(_ reduction: UInt8) { self.reduction = UInt64(reduction) &* Self.lowest }

    /// Each byte times x.
    @inline(__always) private func doubled(_ word: UInt64) -> UInt64 {
        let carried = (word &>> 7) & Self.lowest
        return ((word & ~(Self.lowest &<< 7)) &<< 1) ^ (((carried &<< 8) &- carried) & reduction)
    }

    /// Each byte times a public factor.
    @inline(__always) func product(_ word: UInt64, _ factor: UInt8) -> UInt64 {
        var result: UInt64 = 0
        var bit = 8 - factor.leadingZeroBitCount
        while bit > 0 {
            bit -= 1
            result = doubled(result)
            if factor &>> UInt8(bit) & 1 == 1 { result ^= word }
        }
        return result
    }

    /// The product of two public bytes.
    func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        UInt8(truncatingIfNeeded: product(UInt64(left), right))
    }

    /// One divided by a public byte that is not zero: its 254th power.
    func inverse(_ value: UInt8) -> UInt8 {
        var result: UInt8 = 1
        for _ in 0..<254 { result = product(result, value) }
        return result
    }

    /// The words of a polynomial's value at a public place: `rows` holds the secret first, then a row for each power.
    func value(of rows: [[UInt64]], at place: UInt8) -> [UInt64] {
        var result = rows[rows.count - 1]
        for row in rows.dropLast().reversed() { step(&result, place, row) }
        return result
    }

    /// `result · factor + row`, with the factor's bits outside, so that the loop within is one that the compiler makes wide.
    private func step(_ result: inout [UInt64], _ factor: UInt8, _ row: [UInt64]) {
        row.withUnsafeBufferPointer { row in
            result.withUnsafeMutableBufferPointer { result in
                for index in 0..<result.count { result[index] = product(result[index], factor) ^ row[index] }
            }
        }
    }

    /// The words at place 0 of the polynomial that takes these values at these different places.
    func secret(of values: [(place: UInt8, words: [UInt64])]) -> [UInt64] {
        var result = [UInt64](repeating: 0, count: values.first?.words.count ?? 0)
        for (place, words) in values {
            var weight: UInt8 = 1
            for (other, _) in values where other != place {
                weight = product(weight, product(other, inverse(other ^ place)))
            }
            for index in result.indices { result[index] ^= product(words[index], weight) }
        }
        return result
    }
}
