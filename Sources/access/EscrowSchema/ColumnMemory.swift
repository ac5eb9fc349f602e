/// The memory of one column of a chunk, as plain pointers: arrays would cost a uniqueness and an exclusivity check
/// for each value. Whoever owns it calls ``deallocate()`` once.
struct ColumnMemory {
    private(set) var count = 0
    private var capacity = 0
    private var validity: UnsafeMutablePointer<UInt8>
    /// Eight bytes a row, or nothing for columns of bytes.
    private var words: UnsafeMutableRawPointer
    /// Ends of each row's bytes, or nothing for columns of numbers.
    private var ends: UnsafeMutablePointer<UInt32>
    private var bytes: UnsafeMutableRawPointer
    private var byteCount = 0
    private var byteCapacity = 0
    private let hasBytes: Bool

    init(hasBytes: Bool) {
        self.hasBytes = hasBytes
        validity = .allocate(capacity: 1)
        words = .allocate(byteCount: 8, alignment: 8)
        ends = .allocate(capacity: 1)
        bytes = .allocate(byteCount: 8, alignment: 8)
    }

    func deallocate() {
        validity.deallocate()
        words.deallocate()
        ends.deallocate()
        bytes.deallocate()
    }

    /// The rows as pointers, valid until the memory changes.
    var view: ColumnChunk.View {
        ColumnChunk.View(validity: validity, words: words, ends: ends, bytes: bytes)
    }

    /// Forgets all rows. An arena larger than `limit` is freed, so that one outsized value does not stay allocated for the
    /// whole scan.
    mutating func removeAll(keeping limit: Int) {
        count = 0
        byteCount = 0
        if byteCapacity > limit {
            bytes.deallocate()
            bytes = .allocate(byteCount: 8, alignment: 8)
            byteCapacity = 0
        }
    }

    mutating func pad(to rows: Int) {
        while count < rows { appendNull() }
    }

    mutating func append(word: UInt64) {
        precondition(!hasBytes, "a number in a column of text or bytes")
        if count == capacity { growRows() }
        validity[count] = 1
        words.storeBytes(of: word, toByteOffset: count &* 8, as: UInt64.self)
        count += 1
    }

    /// Appends bytes; false if the arena cannot address them with 32 bits.
    mutating func append(bytes piece: UnsafeRawBufferPointer) -> Bool {
        precondition(hasBytes, "text or bytes in a column of numbers")
        guard piece.count <= Int(UInt32.max) - byteCount else { return false }
        if count == capacity { growRows() }
        if byteCount + piece.count > byteCapacity { growBytes(by: piece.count) }
        if let start = piece.baseAddress {
            (bytes + byteCount).copyMemory(from: start, byteCount: piece.count)
        }
        byteCount += piece.count
        validity[count] = 1
        ends[count] = UInt32(byteCount)
        count += 1
        return true
    }

    /// Appends a null; what lies under it is zero or empty.
    mutating func appendNull() {
        if count == capacity { growRows() }
        validity[count] = 0
        if hasBytes {
            ends[count] = UInt32(byteCount)
        } else {
            words.storeBytes(of: 0, toByteOffset: count &* 8, as: UInt64.self)
        }
        count += 1
    }

    /// Takes back the last row and returns how many bytes it held.
    mutating func removeLast() -> Int {
        count -= 1
        guard hasBytes else { return 0 }
        let before = byteCount
        byteCount = count == 0 ? 0 : Int(ends[count - 1])
        return before - byteCount
    }

    private mutating func growRows() {
        let wider = max(capacity * 2, 64)
        let flags = UnsafeMutablePointer<UInt8>.allocate(capacity: wider)
        flags.update(from: validity, count: count)
        validity.deallocate()
        validity = flags
        if hasBytes {
            let moved = UnsafeMutablePointer<UInt32>.allocate(capacity: wider)
            moved.update(from: ends, count: count)
            ends.deallocate()
            ends = moved
        } else {
            let moved = UnsafeMutableRawPointer.allocate(byteCount: wider * 8, alignment: 8)
            moved.copyMemory(from: words, byteCount: count * 8)
            words.deallocate()
            words = moved
        }
        capacity = wider
    }

    private mutating func growBytes(by more: Int) {
        let wider = max(byteCapacity * 2, byteCount + more, 1_024)
        let moved = UnsafeMutableRawPointer.allocate(byteCount: wider + 8, alignment: 8)
        moved.copyMemory(from: bytes, byteCount: byteCount)
        bytes.deallocate()
        bytes = moved
        byteCapacity = wider
    }
}
