internal import EscrowHashing

/// Which UIDs a scan has met, so that two cards with one UID still get two ids.
///
/// It keeps hashes, 8 bytes each, and stops growing at a million cards: from there on a second card with a known UID keeps
/// that UID. Nearly every UID is new, and a filter small enough for the processor's nearest memory says so; only what the
/// filter cannot tell is looked up among the hashes, which takes longer (70 ns a card).
struct SeenIDs {
    private static let limit = 1 << 20
    /// So many hashes are looked at one by one before there is a table of them.
    private static let patience = 1 << 19
    /// Random for each scan, so no file can be made to collide in it.
    private let key = SipHash()
    /// The hashes in the order met.
    private var hashes: [UInt64] = []
    /// The filter: four bits of one word for each hash; 32 bits a hash or more.
    private var marks: [UInt64] = []
    /// The same hashes to look one up among; nil as long as that is not needed.
    private var table: Set<UInt64>?
    private var looks = 0

    /// Notes an id; true if it was not there before.
    mutating func insert(_ id: UnsafeRawBufferPointer) -> Bool {
        // Swift's own Hasher takes twice as long for a few bytes.
        let hash = key.digest(id, rounds: 1, last: 3)
        if hashes.count * 32 >= marks.count * 64, hashes.count < Self.limit { growMarks() }
        guard hashes.count < Self.limit else { return !isKnown(hash) }
        let mark = Self.mark(hash)
        let isMarked = marks.withUnsafeMutableBufferPointer { marks in
            let word = Int(truncatingIfNeeded: hash) & (marks.count - 1)
            let found = marks[word]
            marks[word] = found | mark
            return found & mark == mark
        }
        if isMarked, isKnown(hash) { return false }
        hashes.append(hash)
        table?.insert(hash)
        return true
    }

    /// The bits of a hash within its word: by its upper half, for the lower picks the word.
    private static func mark(_ hash: UInt64) -> UInt64 {
        1 << (hash >> 58) | 1 << (hash >> 52 & 63) | 1 << (hash >> 46 & 63) | 1 << (hash >> 40 & 63)
    }

    private mutating func growMarks() {
        marks = [UInt64](repeating: 0, count: max(512, marks.count * 2))
        for hash in hashes { marks[Int(truncatingIfNeeded: hash) & (marks.count - 1)] |= Self.mark(hash) }
    }

    /// Whether a hash is there, which the filter does not rule out.
    private mutating func isKnown(_ hash: UInt64) -> Bool {
        if let table { return table.contains(hash) }
        looks += hashes.count
        if looks <= Self.patience { return hashes.contains(hash) }
        table = Set(hashes)
        return hashes.contains(hash)
    }
}
