internal import EscrowTabular

/// A few thousand rows in columns, filled by a source and read by the engine through plain pointers.
///
/// Text lies in one arena per column with 32-bit offsets; the chunk is reused, so its memory does not grow with the
/// number of rows scanned. A row is built by one `append` for each requested column, then ``endRow(id:)``; a column
/// that was not appended to is null in that row.
public final class ColumnChunk {
    /// The most rows a chunk takes.
    public static let rowCapacity = 2_048
    /// A chunk is full as well when its text and blobs reach this many bytes.
    public static let byteCapacity = 1 << 20

    /// One column's storage.
    public struct Column {
        /// 1 where the row has a value.
        public internal(set) var validity: [UInt8] = []
        /// Integers, booleans as 0 or 1; 0 under nulls. Used by `.integer` and `.boolean`.
        public internal(set) var integers: [Int64] = []
        /// Floats; 0 under nulls. Used by `.real`.
        public internal(set) var reals: [Double] = []
        /// Ends of each row's bytes in `bytes`. Used by `.text`, `.timestamp`, `.asset` and `.blob`.
        public internal(set) var ends: [UInt32] = []
        /// The arena.
        public internal(set) var bytes: [UInt8] = []
    }

    /// The table's columns, by position.
    public private(set) var columns: [Column]
    /// Row ids: positions in the snapshot.
    public private(set) var rowIDs: [Int64] = []
    private let types: [ColumnType]
    private var byteCount = 0

    /// An empty chunk for a table.
    public init(spec: TableSpec) {
        types = spec.columns.map(\.type)
        columns = spec.columns.map { _ in Column() }
    }

    /// The number of complete rows.
    public var rowCount: Int { rowIDs.count }
    /// Whether the chunk should be handed over.
    public var isFull: Bool { rowIDs.count >= Self.rowCapacity || byteCount >= Self.byteCapacity }

    /// Forgets all rows and keeps the memory.
    public func removeAll() {
        rowIDs.removeAll(keepingCapacity: true)
        byteCount = 0
        for index in columns.indices {
            columns[index].validity.removeAll(keepingCapacity: true)
            columns[index].integers.removeAll(keepingCapacity: true)
            columns[index].reals.removeAll(keepingCapacity: true)
            columns[index].ends.removeAll(keepingCapacity: true)
            // One outsized value must not stay allocated for the rest of the scan.
            columns[index].bytes.removeAll(
                keepingCapacity: columns[index].bytes.capacity <= 4 * Self.byteCapacity)
        }
    }

    /// Appends an integer, or a boolean as 0 or 1, to the row being built.
    public func append(_ value: Int64, to column: Int) {
        pad(column, to: rowIDs.count)
        columns[column].integers.append(value)
        columns[column].validity.append(1)
    }

    /// Appends a float; NaN becomes null and -0.0 becomes 0.0, as in a native SQLite table.
    public func append(_ value: Double, to column: Int) {
        pad(column, to: rowIDs.count)
        columns[column].reals.append(value.isNaN || value == 0 ? 0 : value)
        columns[column].validity.append(value.isNaN ? 0 : 1)
    }

    /// Appends text or bytes. Text must be valid UTF-8; the source repairs or refuses before.
    public func append(_ bytes: some Sequence<UInt8>, to column: Int) {
        pad(column, to: rowIDs.count)
        let before = columns[column].bytes.count
        columns[column].bytes.append(contentsOf: bytes)
        byteCount += columns[column].bytes.count - before
        columns[column].ends.append(UInt32(columns[column].bytes.count))
        columns[column].validity.append(1)
    }

    /// Appends text.
    public func append(_ text: String, to column: Int) { append(text.utf8, to: column) }

    /// Completes the row; columns without a value are null.
    public func endRow(id: Int64) {
        rowIDs.append(id)
        for column in columns.indices { pad(column, to: rowIDs.count) }
    }

    /// Drops what was appended to a row that turned out not to be wanted.
    public func abandonRow() {
        let count = rowIDs.count
        for column in columns.indices where columns[column].validity.count > count {
            columns[column].validity.removeLast()
            switch types[column] {
            case .integer, .boolean: columns[column].integers.removeLast()
            case .real: columns[column].reals.removeLast()
            case .text, .timestamp, .asset, .blob:
                columns[column].ends.removeLast()
                let end = Int(columns[column].ends.last ?? 0)
                byteCount -= columns[column].bytes.count - end
                columns[column].bytes.removeSubrange(end...)
            }
        }
    }

    /// Fills a column with nulls up to `count` rows.
    private func pad(_ column: Int, to count: Int) {
        while columns[column].validity.count < count {
            columns[column].validity.append(0)
            switch types[column] {
            case .integer, .boolean: columns[column].integers.append(0)
            case .real: columns[column].reals.append(0)
            case .text, .timestamp, .asset, .blob:
                columns[column].ends.append(UInt32(columns[column].bytes.count))
            }
        }
    }
}
