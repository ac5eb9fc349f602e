/// The tree of all records as far as it is there: the leaves, and before them the roots over records that are gone.
///
/// RFC 9162 section 2.1. A proof about any record that is there needs nothing more of those that are gone.
struct MerkleTree: Sendable {
    private(set) var gone = MerkleFrontier()
    private var leaves: [[UInt8]] = []

    /// How many leaves there are with those that are gone.
    var size: UInt64 { gone.size + UInt64(leaves.count) }

    mutating func append(leaf: [UInt8]) { leaves.append(leaf) }

    /// Skips records that are gone; all that was there before is gone with them.
    mutating func skip(to frontier: MerkleFrontier) {
        gone = frontier
        leaves = []
    }

    /// The root over the first leaves; nil where it cannot be had any more.
    func root(_ size: UInt64) -> [UInt8]? { size > 0 && size <= self.size ? hash(0, size) : nil }

    /// The proof that a leaf is in the tree of the first `size` leaves (section 2.1.3.1).
    func inclusion(of index: UInt64, size: UInt64) -> [[UInt8]]? {
        guard index < size, size <= self.size, index >= gone.size else { return nil }
        return path(index, 0, size)
    }

    /// The proof that the tree of the first `old` leaves is the beginning of that of the first `size` (section 2.1.4.1).
    func consistency(from old: UInt64, size: UInt64) -> [[UInt8]]? {
        guard old > 0, old <= size, size <= self.size else { return nil }
        return subproof(old, 0, size, isWhole: true)
    }

    private func path(_ index: UInt64, _ low: UInt64, _ high: UInt64) -> [[UInt8]]? {
        guard high - low > 1 else { return [] }
        let middle = low + Self.split(high - low)
        if index < middle {
            guard let rest = path(index, low, middle), let right = hash(middle, high) else { return nil }
            return rest + [right]
        }
        guard let rest = path(index, middle, high), let left = hash(low, middle) else { return nil }
        return rest + [left]
    }

    private func subproof(_ old: UInt64, _ low: UInt64, _ high: UInt64, isWhole: Bool) -> [[UInt8]]? {
        if old == high {
            if isWhole { return [] }
            return hash(low, high).map { [$0] }
        }
        let middle = low + Self.split(high - low)
        if old <= middle {
            guard let rest = subproof(old, low, middle, isWhole: isWhole), let right = hash(middle, high)
            else {
                return nil
            }
            return rest + [right]
        }
        guard let rest = subproof(old, middle, high, isWhole: false), let left = hash(low, middle) else {
            return nil
        }
        return rest + [left]
    }

    /// The hash over a range of leaves; nil where what it takes is gone.
    private func hash(_ low: UInt64, _ high: UInt64) -> [UInt8]? {
        if high <= gone.size { return peak(low, high) }
        if high - low == 1 { return leaves[Int(low - gone.size)] }
        let middle = low + Self.split(high - low)
        guard let left = hash(low, middle), let right = hash(middle, high) else { return nil }
        return Hashing.node(left, right)
    }

    /// A perfect subtree of the records that are gone.
    private func peak(_ low: UInt64, _ high: UInt64) -> [UInt8]? {
        var start: UInt64 = 0
        for (index, bit) in Self.bits(gone.size).enumerated() {
            if start == low, bit == high - low { return gone.peaks[index] }
            start += bit
        }
        // Several subtrees together.
        guard high - low > 1 else { return nil }
        let middle = low + Self.split(high - low)
        guard let left = peak(low, middle), let right = peak(middle, high) else { return nil }
        return Hashing.node(left, right)
    }

    /// The powers of two that a size is the sum of, the largest first.
    private static func bits(_ size: UInt64) -> [UInt64] {
        (0..<64).reversed().map { UInt64(1) << UInt64($0) }.filter { size & $0 != 0 }
    }

    /// The largest power of two below a number of at least 2.
    static func split(_ count: UInt64) -> UInt64 { 1 << UInt64(63 - (count - 1).leadingZeroBitCount) }
}
