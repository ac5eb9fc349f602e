/// The right edge of a Merkle tree (RFC 9162 section 2.1): enough to add leaves and to know the root, in one hash for
/// each bit that is set in the number of leaves.
///
/// A tree rather than a plain chain of hashes: for the same cost an append, it later yields proofs of inclusion and
/// consistency of logarithmic length, which a chain cannot.
struct MerkleFrontier: Sendable, Equatable {
    private(set) var size: UInt64 = 0
    /// The roots of the perfect subtrees from the left, the largest first.
    private(set) var peaks: [[UInt8]] = []

    init() {}

    /// A tree that was stored; nil where the number of peaks does not fit the size.
    init?(size: UInt64, peaks: [[UInt8]]) {
        guard size.nonzeroBitCount == peaks.count, peaks.allSatisfy({ $0.count == 32 }) else { return nil }
        self.size = size
        self.peaks = peaks
    }

    mutating func append(leaf: [UInt8]) {
        var hash = leaf
        // Each 1 at the end of the size is a full subtree that this leaf completes into one of twice the size.
        var remaining = size
        while remaining & 1 == 1, let left = peaks.popLast() {
            hash = Hashing.node(left, hash)
            remaining >>= 1
        }
        peaks.append(hash)
        size += 1
    }

    /// Goes on to the tree that a line of the log leads to.
    mutating func follow(_ line: LogLine) {
        switch line {
        case .record(let line): append(leaf: line.leaf)
        case .reduced(let line): append(leaf: line.leaf)
        case .gap(let line): self = line.frontier
        case .header, .checkpoint: break
        }
    }

    /// The Merkle tree hash of all leaves; SHA-256 of nothing for an empty tree.
    var root: [UInt8] {
        guard var hash = peaks.last else { return Hashing.sha256() }
        for left in peaks.dropLast().reversed() { hash = Hashing.node(left, hash) }
        return hash
    }
}
