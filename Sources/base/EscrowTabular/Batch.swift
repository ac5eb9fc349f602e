/// A few thousand rows in columns, immutable. It shows nothing of the memory before: nulls lie over zeros, a NaN has one
/// bit pattern, and text is valid UTF-8.
///
/// Accessors take a row and a column counted from 0 and stop the program if either is out of range: the caller
/// knows both counts. Typed accessors stop the program as well if the column is of another type.
public struct Batch: Sendable {
    /// The columns' names and types.
    public let schema: Schema
    public let rowCount: Int
    @usableFromInline let storage: Storage

    /// The columns' memory, freed with the last batch that holds it.
    @usableFromInline
    final class Storage: @unchecked Sendable {  // immutable after init
        @usableFromInline let columns: UnsafePointer<ColumnStorage>
        @usableFromInline let count: Int

        /// Takes over the pointer and the memory of its `count` columns.
        init(owning columns: UnsafeMutablePointer<ColumnStorage>, count: Int) {
            self.columns = UnsafePointer(columns)
            self.count = count
        }

        deinit {
            for index in 0..<count { columns[index].deallocate() }
            columns.deallocate()
        }
    }

    init(schema: Schema, rowCount: Int, storage: Storage) {
        self.schema = schema
        self.rowCount = rowCount
        self.storage = storage
    }

    /// The bytes that the values take: 8 for a number, boolean or moment; 4 and its length for text and bytes;
    /// 1 for the validity of each.
    public var byteCount: Int {
        (0..<storage.count).reduce(0) { total, index in
            let column = storage.columns[index]
            return total + column.byteCount + rowCount * (column.type.hasOffsets ? 5 : 9)
        }
    }

    /// How many rows have no value in this column.
    public func nullCount(column: Int) -> Int { checked(column).pointee.nullCount }

    /// Whether the row has no value in this column.
    @inlinable
    public func isNull(row: Int, column: Int) -> Bool {
        guard let validity = checked(row, column).pointee.validity else { return false }
        return validity[row] == 0
    }

    /// An integer, a boolean as 0 or 1, or a moment in microseconds since 1970 UTC; 0 for null.
    @inlinable
    public func integer(row: Int, column: Int) -> Int64 {
        let storage = checked(row, column)
        precondition(storage.pointee.type.isInteger, "the column holds no integers")
        return storage.pointee.values.load(fromByteOffset: row * 8, as: Int64.self)
    }

    /// A float; 0 for null.
    @inlinable
    public func real(row: Int, column: Int) -> Double {
        let storage = checked(row, column)
        precondition(storage.pointee.type == .real, "the column holds no floats")
        return storage.pointee.values.load(fromByteOffset: row * 8, as: Double.self)
    }

    /// Calls `body` with all values of a column of integers, booleans or moments, 0 for nulls: the fastest way to
    /// scan. They are valid during the call only.
    public func withIntegers<Result, Failure: Error>(
        column: Int, _ body: (UnsafeBufferPointer<Int64>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let storage = checked(column)
        precondition(storage.pointee.type.isInteger, "the column holds no integers")
        defer { withExtendedLifetime(self.storage) {} }
        let start = storage.pointee.values.assumingMemoryBound(to: Int64.self)
        return try body(UnsafeBufferPointer(start: start, count: rowCount))
    }

    /// Calls `body` with all values of a column of floats, 0 for nulls. They are valid during the call only.
    public func withReals<Result, Failure: Error>(
        column: Int, _ body: (UnsafeBufferPointer<Double>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let storage = checked(column)
        precondition(storage.pointee.type == .real, "the column holds no floats")
        defer { withExtendedLifetime(self.storage) {} }
        let start = storage.pointee.values.assumingMemoryBound(to: Double.self)
        return try body(UnsafeBufferPointer(start: start, count: rowCount))
    }

    /// A moment; nil for null.
    public func timestamp(row: Int, column: Int) -> Timestamp? {
        precondition(checked(row, column).pointee.type == .timestamp, "the column holds no moments")
        return isNull(row: row, column: column)
            ? nil : Timestamp(microseconds: integer(row: row, column: column))
    }

    /// Text (also an asset's handle) as a string; empty for null.
    public func text(row: Int, column: Int) -> String {
        precondition(checked(row, column).pointee.type != .blob, "the column holds no text")
        return withBytes(row: row, column: column) { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls `body` with the bytes of a text, asset or blob; none for null. They are valid during the call only.
    @inlinable
    public func withBytes<Result, Failure: Error>(
        row: Int, column: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let storage = checked(row, column)
        precondition(storage.pointee.type.hasOffsets, "the column holds no bytes")
        let start = storage.pointee.offset(row)
        let end = storage.pointee.offset(row + 1)
        defer { withExtendedLifetime(self.storage) {} }
        return try body(UnsafeRawBufferPointer(start: storage.pointee.bytes + start, count: end - start))
    }

    /// The value in its own type: a boolean as integer 0 or 1, a moment as integer microseconds (``timestamp``
    /// has the typed form, and ``Timestamp/iso8601`` its text), an asset as text.
    public func cell(row: Int, column: Int) -> Cell {
        if isNull(row: row, column: column) { return .null }
        switch schema.fields[column].type {
        case .integer, .boolean, .timestamp: return .integer(integer(row: row, column: column))
        case .real: return .real(real(row: row, column: column))
        case .text, .asset: return .text(text(row: row, column: column))
        case .blob: return .blob(withBytes(row: row, column: column) { Array($0) })
        }
    }

    /// Calls `body` with the memory of all columns.
    func withColumns<Result>(_ body: (UnsafeBufferPointer<ColumnStorage>) -> Result) -> Result {
        defer { withExtendedLifetime(storage) {} }
        return body(UnsafeBufferPointer(start: storage.columns, count: storage.count))
    }

    @inlinable
    func checked(_ column: Int) -> UnsafePointer<ColumnStorage> {
        precondition(column >= 0 && column < storage.count, "no such column")
        return storage.columns + column
    }

    @inlinable
    func checked(_ row: Int, _ column: Int) -> UnsafePointer<ColumnStorage> {
        precondition(row >= 0 && row < rowCount, "no such row")
        return checked(column)
    }
}
