/// Checks proofs about a tree that is not there (RFC 9162 sections 2.1.3.2 and 2.1.4.2).
enum MerkleProof {
    /// Whether a leaf is the one of that index in the tree of that size and root.
    static func isIncluded(
        leaf: [UInt8], index: UInt64, size: UInt64, root: [UInt8], path: [[UInt8]]
    ) -> Bool {
        guard index < size, path.count <= 64 else { return false }
        var first = index
        var last = size - 1
        var hash = leaf
        for node in path {
            guard last > 0 else { return false }
            if first & 1 == 1 || first == last {
                hash = Hashing.node(node, hash)
                while first & 1 == 0, first != 0 {
                    first >>= 1
                    last >>= 1
                }
            } else {
                hash = Hashing.node(hash, node)
            }
            first >>= 1
            last >>= 1
        }
        return last == 0 && hash == root
    }

    /// Whether the tree of the old size and root is the beginning of that of the new.
    static func isConsistent(
        old: UInt64, oldRoot: [UInt8], new: UInt64, newRoot: [UInt8], path: [[UInt8]]
    ) -> Bool {
        guard old > 0, old <= new, path.count <= 128 else { return false }
        if old == new { return path.isEmpty && oldRoot == newRoot }
        // A perfect old tree is itself the first node of the path.
        var nodes = (old & (old - 1) == 0 ? [oldRoot] : []) + path
        guard !nodes.isEmpty else { return false }
        var first = old - 1
        var last = new - 1
        while first & 1 == 1 {
            first >>= 1
            last >>= 1
        }
        var oldHash = nodes.removeFirst()
        var newHash = oldHash
        for node in nodes {
            guard last > 0 else { return false }
            if first & 1 == 1 || first == last {
                oldHash = Hashing.node(node, oldHash)
                newHash = Hashing.node(node, newHash)
                while first & 1 == 0, first != 0 {
                    first >>= 1
                    last >>= 1
                }
            } else {
                newHash = Hashing.node(newHash, node)
            }
            first >>= 1
            last >>= 1
        }
        return last == 0 && oldHash == oldRoot && newHash == newRoot
    }
}
