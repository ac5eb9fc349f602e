internal import EscrowFormats
public import EscrowSchema
package import EscrowSourceFiles
public import EscrowTabular

/// The row that a ``RowReader`` is at: it takes the columns that the query wants, and notices when a term rules the row out.
///
/// Columns are the positions in the table's ``TableSpec``. The first value of a column counts; one that is never set is
/// null.
@usableFromInline package final class RowBuilder {
    // Swift checks at each access that no other access is under way. For the unchecked ones none can be: each is one step that
    // calls nothing. The checks took a twentieth of a scan.

    /// The columns that the row is to have, or that terms test. A reader may leave out all others.
    @exclusivity(unchecked) @usableFromInline package private(set) var wanted: ColumnMask
    /// Where in the file the record begins, as an offset or a number: different for each, at most 44 bits.
    package var place: Int64 = 0
    /// Whether a term has ruled the row out already. A reader may leave out further values then, but not the record.
    @exclusivity(unchecked) @usableFromInline package private(set) var isRuledOut = false
    /// Whether a text or blob was too long to be served since this was last set to false; it is null then.
    @exclusivity(unchecked) package var hasLongValue = false

    private let filter: RowFilter
    @exclusivity(unchecked) private var columns: ColumnMask
    private let testedColumns: [Int]
    private let types: [ColumnType]
    @exclusivity(unchecked) private var set = ColumnMask(bits: 0)
    private let chunk: ColumnChunk
    private var timeText = TimestampText()

    package init(_ request: ScanRequest, filter: RowFilter, chunk: ColumnChunk, spec: TableSpec) {
        self.filter = filter
        self.chunk = chunk
        columns = request.columns
        testedColumns = filter.columns.columns
        types = spec.columns.map(\.type)
        wanted = ColumnMask(bits: request.columns.bits | filter.columns.bits)
    }

    /// The builder of a scan's rows for the chunk that it is handed: the one that it has, unless the chunk is another.
    package static func aim(
        _ builder: inout RowBuilder?, at chunk: ColumnChunk, _ request: ScanRequest, _ filter: RowFilter,
        spec: TableSpec
    ) -> RowBuilder {
        if let builder, builder.chunk === chunk { return builder }
        let made = RowBuilder(request, filter: filter, chunk: chunk, spec: spec)
        builder = made
        return made
    }

    /// Leaves a requested column null from here on.
    package func omit(_ column: Int) {
        columns.remove(column)
        wanted = ColumnMask(bits: columns.bits | filter.columns.bits)
    }

    /// Whether a value of the column is of any use.
    @inlinable package func wants(_ column: Int) -> Bool { !isRuledOut && wanted.contains(column) }

    /// Rules the record out, which turned out to be none of the table's.
    package func ruleOut() { isRuledOut = true }

    /// Whether a reader should end its step now, be it with a record that is ruled out: the scan has taken long.
    package var isDue: Bool { chunk.isFull }

    /// Forgets what was set since the last row: the record turned out to be none.
    package func restart() {
        if set.bits != 0 { chunk.abandonRow() }
        chunk.passRecord()
        set = ColumnMask(bits: 0)
        isRuledOut = false
    }

    /// Sets an integer, or nothing.
    @usableFromInline package func set(_ column: Int, _ value: Int64?) {
        guard let value, isFirst(column) else { return }
        if filter.columns.contains(column), !filter.admits(column, integer: value) { isRuledOut = true }
        if columns.contains(column) { chunk.append(value, to: column) }
    }

    /// Sets a boolean, or nothing.
    @usableFromInline package func set(_ column: Int, _ value: Bool?) {
        set(column, value.map { $0 ? 1 : 0 } as Int64?)
    }

    /// Sets a float, or nothing; NaN is null.
    @usableFromInline package func set(_ column: Int, _ value: Double?) {
        guard let value, !value.isNaN, isFirst(column) else { return }
        if filter.columns.contains(column), !filter.admits(column, real: value) { isRuledOut = true }
        if columns.contains(column) { chunk.append(value, to: column) }
    }

    /// Sets text, or nothing. It is put right where it is not UTF-8 or holds NUL; text that is empty then is null.
    @usableFromInline package func set(_ column: Int, repairing text: ArraySlice<UInt8>?) {
        guard let text, wants(column) else { return }
        guard text.count <= ColumnChunk.valueCapacity else { return set(column, text) }
        var clean: [UInt8] = []
        TextRepair.append(text, to: &clean)
        if !clean.isEmpty { set(column, clean[...]) }
    }

    /// Sets text or bytes, or nothing. Text is clean UTF-8 without NUL; ``set(_:repairing:)`` takes any.
    @usableFromInline package func set(_ column: Int, _ bytes: ArraySlice<UInt8>?) {
        guard let bytes, isFirst(column), fits(bytes.count, column) else { return }
        if filter.columns.contains(column), !filter.admits(column, text: bytes) { isRuledOut = true }
        if columns.contains(column) { chunk.append(bytes, to: column) }
    }

    /// Sets text or bytes that lie elsewhere.
    package func set(_ column: Int, _ bytes: UnsafeRawBufferPointer) {
        guard isFirst(column), fits(bytes.count, column) else { return }
        if filter.columns.contains(column), !filter.admits(column, text: Array(bytes)[...]) {
            isRuledOut = true
        }
        if columns.contains(column) { chunk.append(bytes, to: column) }
    }

    /// Sets text without NUL, or nothing.
    @usableFromInline package func set(_ column: Int, _ text: String?) {
        guard let text, wants(column) else { return }
        set(column, Array(text.utf8)[...])
    }

    @usableFromInline package func set(_ column: Int, _ time: Timestamp?) {
        guard let time, isFirst(column) else { return }
        if filter.columns.contains(column), !filter.admits(column, text: time.iso8601Bytes[...]) {
            isRuledOut = true
        }
        if columns.contains(column) { timeText.spell(time) { chunk.append($0, to: column) } }
    }

    /// Ends the record: adds the row, unless a term rules it out.
    package func end(file: Int) {
        for column in testedColumns where !isRuledOut && !set.contains(column) {
            if !filter.admitsNull(column, type: types[column]) { isRuledOut = true }
        }
        if isRuledOut {
            chunk.abandonRow()
            chunk.passRecord()
        } else {
            chunk.endRow(id: RowID.make(file: file, place: place))
        }
        set = ColumnMask(bits: 0)
        isRuledOut = false
    }

    /// Whether a text or blob is short enough to be served. A longer one is null: it must not end every query of its table.
    private func fits(_ count: Int, _ column: Int) -> Bool {
        if count <= ColumnChunk.valueCapacity { return true }
        hasLongValue = true
        if filter.columns.contains(column), !filter.admits(column, text: nil) { isRuledOut = true }
        return false
    }

    /// Whether a value of the column should be taken; notes that it came.
    private func isFirst(_ column: Int) -> Bool {
        guard wants(column), !set.contains(column) else { return false }
        set.insert(column)
        return true
    }
}

/// Columns by the table's own list of them. A value that costs something to make is made only if it is wanted.
/// Inlined, for a call of unspecialized code for each value would cost a fifth of a scan.
extension RowBuilder {
    @inlinable package func wants(_ column: some RawRepresentable<Int>) -> Bool { wants(column.rawValue) }

    @inlinable package func set(_ column: some RawRepresentable<Int>, _ value: @autoclosure () -> Int64?) {
        if wants(column) { set(column.rawValue, value()) }
    }

    @inlinable package func set(_ column: some RawRepresentable<Int>, _ value: @autoclosure () -> Bool?) {
        if wants(column) { set(column.rawValue, value()) }
    }

    @inlinable package func set(_ column: some RawRepresentable<Int>, _ value: @autoclosure () -> Double?) {
        if wants(column) { set(column.rawValue, value()) }
    }

    @inlinable package func set(_ column: some RawRepresentable<Int>, _ value: @autoclosure () -> Timestamp?)
    {
        if wants(column) { set(column.rawValue, value()) }
    }

    @inlinable package func set(_ column: some RawRepresentable<Int>, _ text: @autoclosure () -> String?) {
        if wants(column) { set(column.rawValue, text()) }
    }

    @inlinable package func set(
        _ column: some RawRepresentable<Int>, _ text: @autoclosure () -> ArraySlice<UInt8>?
    ) {
        if wants(column) { set(column.rawValue, text()) }
    }

    @inlinable package func set(
        _ column: some RawRepresentable<Int>, repairing text: @autoclosure () -> ArraySlice<UInt8>?
    ) {
        if wants(column) { set(column.rawValue, repairing: text()) }
    }
}

extension RowFilter {
    /// Whether a row without a value may meet all terms on the column.
    func admitsNull(_ column: Int, type: ColumnType) -> Bool {
        switch type {
        case .integer, .boolean: admits(column, integer: nil)
        case .real: admits(column, real: nil)
        case .text, .timestamp, .asset, .blob: admits(column, text: nil)
        }
    }
}

extension FileProblem {
    package static let longValue = FileProblem(
        "a text longer than \(ColumnChunk.valueCapacity) bytes, which is left out", partial: true)
}
