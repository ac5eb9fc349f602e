/// Collects rows value by value, without boxing them, and hands them over as a ``Batch``.
///
/// A row is one append for each column in any order, then ``endRow()``; a column that got no value is null. After
/// an error call ``abandonRow()`` to drop the row begun, or give the builder up. Not for use by two threads at once.
/// A column's number that is out of range stops the program.
public final class BatchBuilder {
    public let schema: Schema
    // `let` pointers: a mutable class property costs an exclusivity check for each value appended.
    @usableFromInline let columns: UnsafeMutablePointer<ColumnStorage>
    @usableFromInline let columnCount: Int
    @usableFromInline let state: UnsafeMutablePointer<State>

    /// What changes with each row.
    @usableFromInline
    struct State {
        @usableFromInline var rows = 0
        /// Bytes in all arenas, those of the row begun included.
        @usableFromInline var arenaBytes = 0
        /// The most bytes in all arenas.
        @usableFromInline let byteLimit: Int
        /// Bytes that each row takes besides the arenas.
        @usableFromInline let bytesPerRow: Int
    }

    /// An empty builder. Text and blobs of one batch may take `byteLimit` bytes together (256 MiB unless told, never
    /// more than 2 GiB, where Arrow's 32-bit offsets end); `rowCapacity` rows are allocated at once.
    public init(schema: Schema, rowCapacity: Int = 1_024, byteLimit: Int = 256 << 20) {
        self.schema = schema
        columnCount = schema.columnCount
        columns = .allocate(capacity: columnCount)
        state = .allocate(capacity: 1)
        var bytesPerRow = 0
        for (index, field) in schema.fields.enumerated() {
            (columns + index).initialize(
                to: ColumnStorage(field, capacity: rowCapacity, byteCapacity: rowCapacity * 8))
            bytesPerRow += field.type.hasOffsets ? 5 : 9
        }
        state.initialize(
            to: State(byteLimit: min(max(byteLimit, 0), Int(Int32.max)), bytesPerRow: bytesPerRow))
    }

    deinit {
        for index in 0..<columnCount { columns[index].deallocate() }
        columns.deallocate()
        state.deallocate()
    }

    @inlinable public var rowCount: Int { state.pointee.rows }

    /// The bytes that the rows take, as ``Batch/byteCount`` counts; the row begun counts with its text and blobs.
    @inlinable public var byteCount: Int {
        state.pointee.arenaBytes &+ state.pointee.rows &* state.pointee.bytesPerRow
    }

    /// Appends an integer; a boolean as 0 or 1; a moment as microseconds since 1970 UTC. A column of floats takes
    /// it if a float can say it exactly.
    @inlinable
    public func append(_ value: Int64, to column: Int) throws(TabularError) {
        let storage = try begin(column)
        if storage.pointee.type == .integer {
            storage.pointee.append(word: UInt64(bitPattern: value))
        } else {
            try appendOther(value, to: column)
        }
    }

    /// Appends a float; every NaN becomes the same NaN, so that its spare bits carry nothing.
    @inlinable
    @_disfavoredOverload  // so that a literal `1` is an integer
    public func append(_ value: Double, to column: Int) throws(TabularError) {
        let storage = try begin(column)
        guard storage.pointee.type == .real else { throw fault(.wrongType, column) }
        storage.pointee.append(word: value.isNaN ? Double.nan.bitPattern : value.bitPattern)
    }

    /// Appends UTF-8 text or an asset's handle; in a column of moments, RFC 3339 text.
    @inlinable
    public func appendText(_ text: UnsafeRawBufferPointer, to column: Int) throws(TabularError) {
        let storage = try begin(column)
        switch storage.pointee.type {
        case .text, .asset:
            guard isUTF8(text) else { throw fault(.notUTF8, column) }
            try charge(text.count, column)
            storage.pointee.append(text)
        default:
            try appendMoment(text, to: column)
        }
    }

    /// Appends text or an asset's handle; in a column of moments, RFC 3339 text.
    public func appendText(_ text: String, to column: Int) throws(TabularError) {
        var text = text
        let outcome = text.withUTF8 { bytes -> TabularError? in
            do throws(TabularError) {
                try appendText(UnsafeRawBufferPointer(bytes), to: column)
                return nil
            } catch { return error }
        }
        if let outcome { throw outcome }
    }

    /// Appends bytes to a column of blobs.
    @inlinable
    public func appendBlob(_ bytes: UnsafeRawBufferPointer, to column: Int) throws(TabularError) {
        let storage = try begin(column)
        guard storage.pointee.type == .blob else { throw fault(.wrongType, column) }
        try charge(bytes.count, column)
        storage.pointee.append(bytes)
    }

    /// Appends a null.
    @inlinable
    public func appendNull(to column: Int) throws(TabularError) {
        let storage = try begin(column)
        guard storage.pointee.isNullable else { throw fault(.unexpectedNull, column) }
        storage.pointee.appendNull()
    }

    /// Appends a value as SQL yields it.
    public func append(cell: Cell, to column: Int) throws(TabularError) {
        switch cell {
        case .null: try appendNull(to: column)
        case .integer(let value): try append(value, to: column)
        case .real(let value): try append(value, to: column)
        case .text(let text): try appendText(text, to: column)
        case .blob(let bytes):
            let outcome = bytes.withUnsafeBytes { raw -> TabularError? in
                do throws(TabularError) {
                    try appendBlob(raw, to: column)
                    return nil
                } catch { return error }
            }
            if let outcome { throw outcome }
        }
    }

    /// Completes the row: columns that got no value are null.
    @inlinable
    public func endRow() throws(TabularError) {
        let rows = state.pointee.rows
        for column in 0..<columnCount where columns[column].count == rows {
            guard columns[column].isNullable else { throw fault(.unexpectedNull, column) }
            columns[column].appendNull()
        }
        state.pointee.rows = rows &+ 1
    }

    /// Drops the row begun.
    public func abandonRow() {
        for column in 0..<columnCount where columns[column].count > rowCount {
            let before = columns[column].byteCount
            columns[column].removeLast()
            state.pointee.arenaBytes -= before - columns[column].byteCount
        }
    }

    /// Hands over the complete rows and starts afresh with room for as many; a row begun is dropped.
    public func finish() -> Batch {
        abandonRow()
        let rows = rowCount
        let moved = UnsafeMutablePointer<ColumnStorage>.allocate(capacity: columnCount)
        moved.moveInitialize(from: columns, count: columnCount)
        for (index, field) in schema.fields.enumerated() {
            // Room for as much again, but one outsized value must not stay allocated for the rest of a scan.
            (columns + index).initialize(
                to: ColumnStorage(
                    field, capacity: min(moved[index].capacity, 65_536),
                    byteCapacity: min(moved[index].byteCapacity, 4 << 20)))
        }
        state.pointee.rows = 0
        state.pointee.arenaBytes = 0
        return Batch(
            schema: schema, rowCount: rows, storage: Batch.Storage(owning: moved, count: columnCount))
    }

    /// The column's memory, once it is known that the row may get a value there.
    @inlinable
    func begin(_ column: Int) throws(TabularError) -> UnsafeMutablePointer<ColumnStorage> {
        precondition(column >= 0 && column < columnCount, "no such column")
        let storage = columns + column
        guard storage.pointee.count == state.pointee.rows else { throw fault(.valueTwice, column) }
        return storage
    }

    /// Counts bytes before they are copied: past 2 GiB Arrow's offsets would wrap without a word.
    @inlinable
    func charge(_ count: Int, _ column: Int) throws(TabularError) {
        let used = state.pointee.arenaBytes
        guard count <= state.pointee.byteLimit &- used else { throw fault(.batchTooLarge, column) }
        state.pointee.arenaBytes = used &+ count
    }

    @usableFromInline
    func fault(_ code: TabularError.Code, _ column: Int) -> TabularError {
        TabularError(code, column: column, row: rowCount)
    }

    @usableFromInline
    func appendOther(_ value: Int64, to column: Int) throws(TabularError) {
        switch columns[column].type {
        case .boolean:
            guard value == 0 || value == 1 else { throw fault(.notBoolean, column) }
            columns[column].append(word: UInt64(bitPattern: value))
        case .timestamp:
            guard Timestamp(microseconds: value) != nil else { throw fault(.notTimestamp, column) }
            columns[column].append(word: UInt64(bitPattern: value))
        case .real:
            guard let exact = Double(exactly: value) else { throw fault(.wrongType, column) }
            columns[column].append(word: exact.bitPattern)
        case .integer: columns[column].append(word: UInt64(bitPattern: value))
        case .text, .blob, .asset: throw fault(.wrongType, column)
        }
    }

    @usableFromInline
    func appendMoment(_ text: UnsafeRawBufferPointer, to column: Int) throws(TabularError) {
        guard columns[column].type == .timestamp else { throw fault(.wrongType, column) }
        guard let moment = Timestamp(iso8601: text) else { throw fault(.notTimestamp, column) }
        columns[column].append(word: UInt64(bitPattern: moment.microseconds))
    }
}
