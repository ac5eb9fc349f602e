public import EscrowTabular

/// A few thousand rows in columns, filled by a source and read by the engine through plain pointers.
///
/// Text lies in one arena per column with 32-bit offsets; the chunk is reused, so its memory does not grow with the
/// number of rows scanned. A row is built by one `append` for each requested column, then ``endRow(id:)``; a column
/// that was not appended to is null in that row.
public final class ColumnChunk {
    /// The most rows a chunk takes before it is full.
    public static let rowCapacity = 2_048
    /// A chunk is full as well when its text and blobs reach this many bytes.
    public static let byteCapacity = 1 << 20
    /// A longer text or blob is not taken: the row's value stays null and ``oversizedColumn`` tells where.
    public static let valueCapacity = 2_000_000
    /// A chunk is full as well when it took longer than this: who reads it can look at its own clock then.
    private static let patience: Duration = .milliseconds(100)
    /// Records between two looks at the clock.
    private static let recordsPerLook = 64

    /// One column's rows as plain pointers, valid until the chunk changes.
    public struct View {
        /// 1 where the row has a value.
        public let validity: UnsafePointer<UInt8>
        /// Eight bytes a row: an integer, a boolean as 0 or 1, or a float; 0 under nulls.
        public let words: UnsafeRawPointer
        /// Row i's bytes end at `ends[i]` and begin at `ends[i - 1]`, or at 0.
        public let ends: UnsafePointer<UInt32>
        /// The arena of text or bytes, with eight readable bytes after its end.
        public let bytes: UnsafeRawPointer

        /// A view of no rows, to point at before there are any. Its memory is never written and never freed.
        public static var empty: View { noRows }

        nonisolated(unsafe) private static let noRows: View = {
            var memory = ColumnMemory(hasBytes: true)
            memory.appendNull()
            return memory.view
        }()

        @inlinable public func hasValue(_ row: Int) -> Bool { validity[row] != 0 }
        @inlinable public func integer(_ row: Int) -> Int64 {
            words.load(fromByteOffset: row &* 8, as: Int64.self)
        }
        @inlinable public func real(_ row: Int) -> Double {
            words.load(fromByteOffset: row &* 8, as: Double.self)
        }
        @inlinable public func bytes(_ row: Int) -> UnsafeRawBufferPointer {
            let start = row == 0 ? 0 : Int(ends[row &- 1])
            return UnsafeRawBufferPointer(start: bytes + start, count: Int(ends[row]) &- start)
        }
    }

    /// How many rows the reader wants; the chunk is full when it has them. Small where a LIMIT makes few rows likely, so
    /// that a source reads no more files than needed.
    public var wantedRows = ColumnChunk.rowCapacity
    /// A column in which a value was too long to be taken since the chunk was last emptied.
    public private(set) var oversizedColumn: Int?
    private let types: [ColumnType]
    private let storage: UnsafeMutablePointer<ColumnMemory>
    private var byteCount = 0
    /// When it was last emptied, the records that were seen since, and whether that took long.
    @exclusivity(unchecked) private var emptied = ContinuousClock.now
    @exclusivity(unchecked) private var records = 0
    @exclusivity(unchecked) private var isLate = false

    public init(spec: TableSpec) {
        types = spec.columns.map(\.type)
        // The row ids are one column more, behind the others.
        storage = .allocate(capacity: types.count + 1)
        for (index, type) in types.enumerated() {
            (storage + index).initialize(to: ColumnMemory(hasBytes: type.isBytes))
        }
        (storage + types.count).initialize(to: ColumnMemory(hasBytes: false))
    }

    deinit {
        for index in 0...types.count { storage[index].deallocate() }
        storage.deallocate()
    }

    public var rowCount: Int { storage[types.count].count }
    /// Whether the chunk should be handed over, be it without a row: a scan says then that there is more.
    public var isFull: Bool { rowCount >= wantedRows || byteCount >= Self.byteCapacity || isLate }

    /// The column's rows, with nulls wherever nothing was appended. Valid until the chunk changes.
    public func view(of column: Int) -> View {
        storage[checked(column)].pad(to: rowCount)
        return storage[column].view
    }

    /// The rows' ids, their positions in the snapshot, as integers. Valid until the chunk changes.
    public var rowIDs: View { storage[types.count].view }

    /// Forgets all rows and keeps the memory.
    public func removeAll() {
        byteCount = 0
        oversizedColumn = nil
        emptied = .now
        records = 0
        isLate = false
        for index in 0...types.count { storage[index].removeAll(keeping: 4 * Self.byteCapacity) }
    }

    /// Exchanges all rows, and how many are wanted, with another chunk of the same table. Views stay valid. So a source can
    /// always fill the same chunk while its reader holds the rows of several.
    package func exchangeRows(with other: ColumnChunk) {
        precondition(types.count == other.types.count, "chunks of two tables")
        for index in 0...types.count { swap(&storage[index], &other.storage[index]) }
        swap(&byteCount, &other.byteCount)
        swap(&oversizedColumn, &other.oversizedColumn)
        swap(&isLate, &other.isLate)
        swap(&wantedRows, &other.wantedRows)
    }

    /// Appends an integer, or a boolean as 0 or 1, to the row being built.
    public func append(_ value: Int64, to column: Int) {
        storage[checked(column)].pad(to: rowCount)
        storage[column].append(word: UInt64(bitPattern: value))
    }

    /// Appends a float; NaN becomes null and -0.0 becomes 0.0, as in a native SQLite table.
    public func append(_ value: Double, to column: Int) {
        storage[checked(column)].pad(to: rowCount)
        if value.isNaN {
            storage[column].appendNull()
        } else {
            storage[column].append(word: value == 0 ? 0 : value.bitPattern)
        }
    }

    /// Appends text or bytes. Text must be valid UTF-8; the source repairs or refuses before.
    @inlinable
    public func append(_ bytes: some Sequence<UInt8>, to column: Int) {
        let direct: Void? = bytes.withContiguousStorageIfAvailable {
            append(UnsafeRawBufferPointer($0), to: column)
        }
        if direct == nil { Array(bytes).withUnsafeBytes { append($0, to: column) } }
    }

    public func append(_ text: String, to column: Int) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0), to: column) }
    }

    /// Appends text or bytes out of memory. Text must be valid UTF-8.
    public func append(_ bytes: UnsafeRawBufferPointer, to column: Int) {
        storage[checked(column)].pad(to: rowCount)
        guard bytes.count <= Self.valueCapacity, storage[column].append(bytes: bytes) else {
            oversizedColumn = column
            storage[column].appendNull()
            return
        }
        byteCount += bytes.count
    }

    /// Completes the row; columns without a value are null.
    public func endRow(id: Int64) {
        storage[types.count].append(word: UInt64(bitPattern: id))
        passRecord()
    }

    /// Counts a record of the source, whether it makes a row or not: those that make none take time as well.
    public func passRecord() {
        records &+= 1
        if records & (Self.recordsPerLook &- 1) == 0 { lookAtClock() }
    }

    /// Looks at once, after what took as long as many records may.
    public func lookAtClock() {
        if ContinuousClock.now - emptied > Self.patience { isLate = true }
    }

    /// Drops what was appended to a row that turned out not to be wanted.
    public func abandonRow() {
        let count = rowCount
        for column in types.indices where storage[column].count > count {
            byteCount -= storage[column].removeLast()
        }
    }

    /// A value, for tests and messages that need no speed.
    public func cell(row: Int, column: Int) -> Cell {
        precondition(row >= 0 && row < rowCount, "no such row")
        let view = view(of: column)
        guard view.hasValue(row) else { return .null }
        switch types[column] {
        case .integer, .boolean: return .integer(view.integer(row))
        case .real: return .real(view.real(row))
        case .text, .timestamp, .asset: return .text(String(decoding: view.bytes(row), as: UTF8.self))
        case .blob: return .blob(Array(view.bytes(row)))
        }
    }

    private func checked(_ column: Int) -> Int {
        precondition(column >= 0 && column < types.count, "no such column")
        return column
    }
}

extension ColumnType {
    /// Whether values are bytes in an arena, and not eight bytes each.
    var isBytes: Bool {
        switch self {
        case .text, .timestamp, .asset, .blob: true
        case .integer, .real, .boolean: false
        }
    }
}
