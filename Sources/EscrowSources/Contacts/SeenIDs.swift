/// Which UIDs a scan has met, so that two cards with one UID still get two ids.
///
/// It keeps hashes, 8 bytes each, in a table of its own, and stops growing at a million cards: from there on, a second
/// card with a known UID keeps that UID.
struct SeenIDs {
    private static let limit = 1 << 20
    private var slots: [UInt64] = []
    private var count = 0

    /// Notes an id; true if it was not there before.
    mutating func insert(_ id: ArraySlice<UInt8>) -> Bool {
        // Swift's hash is seeded anew in each process, so no file can be made to collide in it.
        var hasher = Hasher()
        id.withUnsafeBytes { hasher.combine(bytes: $0) }
        let hash = max(1, UInt64(bitPattern: Int64(hasher.finalize())))
        if (count + 1) * 4 > slots.count * 3 {
            guard count < Self.limit else { return !slots.isEmpty && find(hash).isNew }
            grow()
        }
        let place = find(hash)
        guard place.isNew else { return false }
        slots[place.index] = hash
        count += 1
        return true
    }

    private func find(_ hash: UInt64) -> (index: Int, isNew: Bool) {
        let mask = slots.count - 1
        var index = Int(truncatingIfNeeded: hash) & mask
        while slots[index] != 0 {
            if slots[index] == hash { return (index, false) }
            index = (index + 1) & mask
        }
        return (index, true)
    }

    private mutating func grow() {
        let old = slots
        slots = [UInt64](repeating: 0, count: max(1_024, old.count * 2))
        for hash in old where hash != 0 { slots[find(hash).index] = hash }
    }
}
