internal import CGaloisField

/// Arithmetic over GF(2⁸), many bytes at a time. A secret byte is neither an index into memory nor a condition, so time and caches
/// say nothing about it: what is multiplied by (a share's number, a weight) is public.
struct Field: Sendable {
    /// What stands for the polynomial's terms below x⁸.
    private let reduction: UInt8
    /// Which of the processor's instructions are used, as `galois_level` names them.
    private let level: Int32

    /// x⁸ + x⁴ + x³ + x² + 1: that of libgfshare, and ours.
    static let standard = Field(0x1d)

    /// The widest instructions that there are here.
    static var widest: Int32 { galois_level() }

    init(_ reduction: UInt8, level: Int32 = Field.widest) {
        self.reduction = reduction
        self.level = level
    }

    /// The sum of rows of the same length, each times a public weight.
    func sum(of rows: [(weight: UInt8, bytes: [UInt8])]) -> [UInt8] {
        let count = rows.first?.bytes.count ?? 0
        let weights = rows.map { galois_make_weight($0.weight, reduction) }
        return [UInt8](unsafeUninitializedCapacity: count) { sum, initialized in
            guard let start = sum.baseAddress else { return }
            start.initialize(repeating: 0, count: count)
            // Blocks that stay in the nearest cache.
            for begin in stride(from: 0, to: count, by: 8192) {
                let length = min(8192, count - begin)
                for (row, weight) in zip(rows, weights) {
                    row.bytes.withUnsafeBufferPointer { bytes in
                        guard let source = bytes.baseAddress else { return }
                        withUnsafePointer(to: weight) {
                            galois_add(start + begin, source + begin, length, $0, level)
                        }
                    }
                }
            }
            initialized = count
        }
    }

    /// A polynomial's value at a public place: `rows` holds the secret first, then a row for each power.
    func value(of rows: [[UInt8]], at place: UInt8) -> [UInt8] {
        var power: UInt8 = 1
        return sum(
            of: rows.map { row in
                defer { power = product(power, place) }
                return (power, row)
            })
    }

    /// What the polynomial that takes these values at these different places has at place 0.
    func secret(of values: [(place: UInt8, bytes: [UInt8])]) -> [UInt8] {
        sum(
            of: values.map { place, bytes in
                var weight: UInt8 = 1
                for (other, _) in values where other != place {
                    weight = product(weight, product(other, inverse(other ^ place)))
                }
                return (weight, bytes)
            })
    }

    // MARK: Public bytes

    func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result: UInt8 = 0
        for bit in (0..<8).reversed() {
            result = result << 1 ^ (result & 0x80 != 0 ? reduction : 0)
            if right >> UInt8(bit) & 1 == 1 { result ^= left }
        }
        return result
    }

    /// One divided by a byte that is not zero: its 254th power.
    func inverse(_ value: UInt8) -> UInt8 { (0..<254).reduce(1) { power, _ in product(power, value) } }
}
