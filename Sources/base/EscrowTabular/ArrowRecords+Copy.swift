extension ArrowRecords.Column {
    /// The bytes that the values take once they are copied, as ``Batch/byteCount`` counts them.
    func byteCount(_ column: ArrowColumn, dictionary: ArrowDictionary?) throws(TabularError) -> Int {
        if column.dictionary != nil {
            guard let dictionary else {
                guard rowCount == 0 else { throw TabularError(.noDictionary) }
                return 0
            }
            var total = 5 * rowCount
            for row in 0..<rowCount where isValid(row) {
                guard let length = dictionary.length(index(row, column)) else {
                    throw TabularError(.badIndex)
                }
                total += length
            }
            return total
        }
        guard column.type.hasOffsets else { return 9 * rowCount }
        guard rowCount > 0 else { return 0 }
        var last = offset(0)
        guard last >= 0 else { throw TabularError(.badOffsets) }
        let first = last
        for row in 1...rowCount {
            let next = offset(row)
            guard next >= last else { throw TabularError(.badOffsets) }
            last = next
        }
        guard last <= data.count else { throw TabularError(.badOffsets) }
        return 5 * rowCount + last - first
    }

    /// Copies the values, and nothing else: what lies under nulls, between and beyond the values stays behind.
    ///
    /// ``byteCount(_:dictionary:)`` must have passed. The storage is the caller's to free, also after an error.
    func copy(
        _ column: ArrowColumn, dictionary: ArrowDictionary?, into storage: inout ColumnStorage
    ) throws(TabularError) {
        if column.dictionary != nil {
            for row in 0..<rowCount {
                if isValid(row), let dictionary {
                    dictionary.withBytes(index(row, column)) { storage.append($0) }
                } else {
                    storage.appendNull()
                }
            }
            return
        }
        switch column.type {
        case .integer:
            copyWords(into: &storage)
        case .real:
            copyWords(into: &storage)
            // One NaN for all: its spare bits could carry something.
            let reals = storage.values.assumingMemoryBound(to: Double.self)
            for row in 0..<rowCount where reals[row].isNaN { reals[row] = .nan }
        case .timestamp:
            copyWords(into: &storage)
            let moments = storage.values.assumingMemoryBound(to: Int64.self)
            for row in 0..<rowCount where Timestamp(microseconds: moments[row]) == nil {
                throw TabularError(.notTimestamp)
            }
        case .boolean:
            for row in 0..<rowCount {
                if isValid(row) {
                    storage.append(word: UInt64(values[row >> 3] >> UInt8(row & 7) & 1))
                } else {
                    storage.appendNull()
                }
            }
        case .text, .asset:
            copyBytes(into: &storage)
            try checkText(storage)
        case .blob:
            copyBytes(into: &storage)
        }
    }

    private func index(_ row: Int, _ column: ArrowColumn) -> Int {
        guard let index = column.dictionary else { return -1 }
        func load<Value: FixedWidthInteger>(_ type: Value.Type) -> Int {
            Int(Value(littleEndian: values.loadUnaligned(fromByteOffset: row * index.width, as: type)))
        }
        switch (index.width, index.isSigned) {
        case (1, true): return load(Int8.self)
        case (1, false): return load(UInt8.self)
        case (2, true): return load(Int16.self)
        case (2, false): return load(UInt16.self)
        case (4, true): return load(Int32.self)
        case (4, false): return load(UInt32.self)
        default: return -1
        }
    }

    private func copyWords(into storage: inout ColumnStorage) {
        guard validity != nil else { return storage.fill(words: values, rows: rowCount) }
        for row in 0..<rowCount {
            if isValid(row) {
                storage.append(word: values.loadUnaligned(fromByteOffset: row &* 8, as: UInt64.self))
            } else {
                storage.appendNull()
            }
        }
    }

    private func copyBytes(into storage: inout ColumnStorage) {
        guard rowCount > 0 else { return }
        guard validity != nil else {
            let arena = UnsafeRawBufferPointer(rebasing: data[offset(0)..<offset(rowCount)])
            return storage.fill(offsets: values, rows: rowCount, arena: arena)
        }
        for row in 0..<rowCount {
            if isValid(row) {
                storage.append(UnsafeRawBufferPointer(rebasing: data[offset(row)..<offset(row + 1)]))
            } else {
                storage.appendNull()
            }
        }
    }

    /// The whole arena is UTF-8, and every value begins at the beginning of a character: so each is UTF-8 by itself.
    private func checkText(_ storage: ColumnStorage) throws(TabularError) {
        let arena = UnsafeRawBufferPointer(start: storage.bytes, count: storage.byteCount)
        guard isUTF8(arena) else { throw TabularError(.notUTF8) }
        for row in 0..<storage.count {
            let start = storage.offset(row)
            if start < arena.count, arena[start] & 0xC0 == 0x80 { throw TabularError(.notUTF8) }
        }
    }
}

/// The values of one dictionary: text, without nulls.
final class ArrowDictionary: @unchecked Sendable {  // immutable after init
    private let storage: ColumnStorage

    /// Takes over the storage.
    init(owning storage: ColumnStorage) { self.storage = storage }

    deinit { storage.deallocate() }

    /// The length of a value in bytes; nil if there is no such value.
    func length(_ index: Int) -> Int? {
        guard index >= 0, index < storage.count else { return nil }
        return storage.offset(index + 1) - storage.offset(index)
    }

    /// Calls `body` with the bytes of a value that ``length(_:)`` knows.
    func withBytes(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
        precondition(index >= 0 && index < storage.count, "no such value")
        let start = storage.offset(index)
        let end = storage.offset(index + 1)
        body(UnsafeRawBufferPointer(start: storage.bytes + start, count: end - start))
    }
}
