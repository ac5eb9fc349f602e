/// The memory of one column, as plain pointers: values and validity of a row lie at its position.
///
/// Plain data on purpose: arrays and classes cost a retain, a uniqueness test and an exclusivity check for each
/// value, a third of all time when rows are copied out of SQLite. Whoever owns it calls ``deallocate()`` once.
@usableFromInline
struct ColumnStorage {
    @usableFromInline let type: ColumnType
    @usableFromInline let isNullable: Bool
    @usableFromInline var count = 0
    /// Rows that fit into `values` and `validity`.
    @usableFromInline var capacity: Int
    /// 8 bytes a row (integer, real, boolean, timestamp), or `count + 1` 32-bit offsets into `bytes`.
    @usableFromInline var values: UnsafeMutableRawPointer
    /// One byte a row, 1 where there is a value; absent as long as there is no null.
    @usableFromInline var validity: UnsafeMutablePointer<UInt8>?
    @usableFromInline var nullCount = 0
    /// The arena of text or bytes; empty rows and nulls take nothing in it.
    @usableFromInline var bytes: UnsafeMutableRawPointer
    @usableFromInline var byteCount = 0
    @usableFromInline var byteCapacity: Int

    init(_ field: Field, capacity: Int, byteCapacity: Int) {
        type = field.type
        isNullable = field.isNullable
        self.capacity = max(capacity, 1)
        self.byteCapacity = field.type.hasOffsets ? max(byteCapacity, 1) : 0
        let size = type.hasOffsets ? (self.capacity + 1) * 4 : self.capacity * 8
        values = .allocate(byteCount: size, alignment: 8)
        bytes = .allocate(byteCount: self.byteCapacity, alignment: 8)
        if type.hasOffsets { values.storeBytes(of: 0, as: Int32.self) }
    }

    func deallocate() {
        values.deallocate()
        validity?.deallocate()
        bytes.deallocate()
    }

    @usableFromInline
    mutating func growRows() {
        let wider = capacity * 2
        let used = type.hasOffsets ? (count + 1) * 4 : count * 8
        let size = type.hasOffsets ? (wider + 1) * 4 : wider * 8
        let moved = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
        moved.copyMemory(from: values, byteCount: used)
        values.deallocate()
        values = moved
        if let old = validity {
            let wide = UnsafeMutablePointer<UInt8>.allocate(capacity: wider)
            wide.update(from: old, count: count)
            old.deallocate()
            validity = wide
        }
        capacity = wider
    }

    @usableFromInline
    mutating func growBytes(by more: Int) {
        let wider = max(byteCapacity * 2, byteCount + more)
        let moved = UnsafeMutableRawPointer.allocate(byteCount: wider, alignment: 8)
        moved.copyMemory(from: bytes, byteCount: byteCount)
        bytes.deallocate()
        bytes = moved
        byteCapacity = wider
    }

    /// Appends eight bytes, the bits of an integer or a float.
    @inlinable
    mutating func append(word: UInt64) {
        if count == capacity { growRows() }
        values.storeBytes(of: word, toByteOffset: count &* 8, as: UInt64.self)
        validity?[count] = 1
        count &+= 1
    }

    /// Appends bytes to the arena; the caller has checked that the sum fits 31 bits.
    @inlinable
    mutating func append(_ piece: UnsafeRawBufferPointer) {
        if count == capacity { growRows() }
        let length = piece.count
        if length > byteCapacity &- byteCount { growBytes(by: length) }
        if let start = piece.baseAddress {
            (bytes + byteCount).copyMemory(from: start, byteCount: length)
        }
        byteCount &+= length
        validity?[count] = 1
        count &+= 1
        values.storeBytes(
            of: Int32(truncatingIfNeeded: byteCount), toByteOffset: count &* 4, as: Int32.self)
    }

    /// Appends a null; what lies under it is zero, so that no host memory leaks with it.
    @usableFromInline
    mutating func appendNull() {
        if count == capacity { growRows() }
        if validity == nil {
            let fresh = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
            fresh.update(repeating: 1, count: count)
            validity = fresh
        }
        validity?[count] = 0
        nullCount += 1
        if type.hasOffsets {
            count += 1
            values.storeBytes(
                of: Int32(truncatingIfNeeded: byteCount), toByteOffset: count * 4, as: Int32.self)
        } else {
            values.storeBytes(of: 0, toByteOffset: count * 8, as: UInt64.self)
            count += 1
        }
    }

    /// Fills an empty column of sufficient capacity with eight bytes for each row, none of them null.
    mutating func fill(words: UnsafeRawBufferPointer, rows: Int) {
        precondition(count == 0 && rows <= capacity && rows * 8 <= words.count, "the rows must fit")
        if rows > 0, let start = words.baseAddress { values.copyMemory(from: start, byteCount: rows * 8) }
        count = rows
    }

    /// Fills an empty column of sufficient capacity with text or bytes, none of them null. The offsets are known to
    /// rise, and the arena runs from the first to the last; they are counted from the first.
    mutating func fill(offsets: UnsafeRawBufferPointer, rows: Int, arena: UnsafeRawBufferPointer) {
        precondition(
            count == 0 && rows <= capacity && (rows + 1) * 4 <= offsets.count && arena.count <= byteCapacity,
            "the rows must fit")
        let first = offsets.loadUnaligned(as: Int32.self)
        let target = values.assumingMemoryBound(to: Int32.self)
        for row in 0...rows {
            target[row] = offsets.loadUnaligned(fromByteOffset: row &* 4, as: Int32.self) &- first
        }
        if let start = arena.baseAddress { bytes.copyMemory(from: start, byteCount: arena.count) }
        byteCount = arena.count
        count = rows
    }

    mutating func removeLast() {
        count -= 1
        if let validity, validity[count] == 0 { nullCount -= 1 }
        if type.hasOffsets { byteCount = offset(count) }
    }

    /// The offset before the given row; `offset(count)` is the end of the arena.
    @inlinable
    func offset(_ row: Int) -> Int {
        Int(values.load(fromByteOffset: row &* 4, as: Int32.self))
    }
}

extension ColumnType {
    /// Whether values are 64-bit integers in memory.
    @inlinable
    var isInteger: Bool {
        switch self {
        case .integer, .boolean, .timestamp: true
        case .real, .text, .blob, .asset: false
        }
    }

    /// Whether values are bytes in an arena with offsets, and not eight bytes each.
    @inlinable
    var hasOffsets: Bool {
        switch self {
        case .text, .blob, .asset: true
        case .integer, .real, .boolean, .timestamp: false
        }
    }
}
