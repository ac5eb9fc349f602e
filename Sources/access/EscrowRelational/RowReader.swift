internal import CSQLite
internal import EscrowDiagnostics
internal import EscrowSchema
internal import EscrowTabular

/// Steps a statement and collects its rows in batches, each value checked against its column's type.
final class RowReader {
    private(set) var columns: [OutputColumn]
    private var connection: Connection
    private let assets: AssetTable
    private let isDeclared: Bool
    private var builder: BatchBuilder?
    /// Rows read ahead to infer the types, and how many of them are delivered.
    private var ahead: [[Cell]] = []
    private var aheadDelivered = 0
    /// The statement stands on a row that did not fit the last batch.
    private var hasRow = false
    private var isDone = false

    /// Rows and bytes that are read ahead to infer types.
    private static let inferenceRows = 4_096
    private static let inferenceBytes = 1 << 20

    init(_ connection: Connection, _ request: AccessRequest, assets: AssetTable) throws(Diagnostic) {
        self.connection = connection
        self.assets = assets
        columns = OutputColumn.list(connection)
        isDeclared = request.columnTypes != nil
        var names: Set<String> = []
        for (index, column) in columns.enumerated() where !names.insert(column.name).inserted {
            throw Diagnostic(
                .columnsOfOneName, "\(label(index)) of the result has the same name as another column",
                help: "name it with AS")
        }
        guard let types = request.columnTypes else { return }
        guard types.count == columns.count else {
            throw Diagnostic(
                .columnCount, "the query yields \(columns.count) columns where \(types.count) are declared",
                help: "select exactly the columns that the plugin accepts, in their order")
        }
        for index in columns.indices { columns[index].type = types[index] }
    }

    /// Reads from another connection with the same statement, before the first row.
    func read(from other: Connection) { connection = other }

    /// The columns as a schema; a column whose type is not known yet counts as text.
    func schema() throws(Diagnostic) -> Schema {
        do {
            return try Schema(
                columns.map {
                    Field($0.name, type: $0.type ?? .text, origin: $0.origin?.description ?? "expr")
                })
        } catch {
            throw Diagnostic(.columnsOfOneName, "the result's columns make no schema")
        }
    }

    func next(maxRows: Int, maxBytes: Int) throws(Diagnostic) -> Batch? {
        if builder == nil { try begin() }
        guard let builder else { return nil }
        let before = rowNumber
        do throws(Diagnostic) {
            try fill(builder, maxRows, maxBytes)
        } catch {
            // A text that is no handle stands in a row before.
            try deliverHandles(builder.finish(), before)
            throw error
        }
        guard builder.rowCount > 0 else { return nil }
        let batch = builder.finish()
        try deliverHandles(batch, before)
        return batch
    }

    private func fill(_ builder: BatchBuilder, _ maxRows: Int, _ maxBytes: Int) throws(Diagnostic) {
        while builder.rowCount < maxRows {
            if aheadDelivered < ahead.count {
                let size = size(ahead[aheadDelivered])
                if builder.rowCount > 0, builder.byteCount + size > maxBytes { break }
                try connection.session.governor.deliver(bytes: size)
                try append(ahead[aheadDelivered], to: builder)
                aheadDelivered += 1
                if aheadDelivered == ahead.count { (ahead, aheadDelivered) = ([], 0) }
                continue
            }
            if !hasRow { hasRow = try step() }
            guard hasRow else { break }
            let size = rowSize()
            if builder.rowCount > 0, builder.byteCount + size > maxBytes { break }
            try connection.session.governor.deliver(bytes: size)
            try appendRow(to: builder)
            hasRow = false
        }
    }

    /// Makes the next row current; false at the end.
    private func step() throws(Diagnostic) -> Bool {
        guard !isDone else { return false }
        switch sqlite3_step(connection.statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            isDone = true
            // Held rows are given up with the last row, not with the access.
            sqlite3_reset(connection.statement)
            connection.session.removeHeldRows()
            return false
        case let status:
            isDone = true
            let diagnostic = PrepareErrors.diagnoseStep(connection.db, connection.session, status)
            sqlite3_reset(connection.statement)
            throw diagnostic
        }
    }

    /// Infers what is not known, from the first rows.
    private func begin() throws(Diagnostic) {
        if columns.contains(where: { $0.type == nil }) {
            var inference = columns.map { TypeInference(known: $0.type) }
            var bytes = 0
            while ahead.count < Self.inferenceRows, bytes < Self.inferenceBytes, try step() {
                let row = columns.indices.map { cell($0) }
                bytes += Self.heldSize(row)
                for (index, cell) in row.enumerated() where !inference[index].admit(cell) {
                    throw changed(index, row: ahead.count + 1)
                }
                ahead.append(row)
            }
            for index in columns.indices { columns[index].type = inference[index].type }
        }
        builder = BatchBuilder(schema: try schema())
    }

    private func cell(_ column: Int) -> Cell {
        let statement = connection.statement
        let index = Int32(column)
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
        case SQLITE_TEXT:
            return .text(String(decoding: bytes(index), as: UTF8.self))
        case SQLITE_BLOB: return .blob(Array(bytes(index)))
        default: return .null
        }
    }

    /// Text is read as a blob: sqlite3_column_text would copy it to put a NUL behind it.
    private func bytes(_ index: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(connection.statement, index)
        let count = sqlite3_column_bytes(connection.statement, index)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count))
    }

    private func size(_ row: [Cell]) -> Int {
        var size = 0
        for (index, cell) in row.enumerated() {
            switch cell {
            case .text(let text) where hasBytes[index]: size += 5 + text.utf8.count
            case .blob(let bytes) where hasBytes[index]: size += 5 + bytes.count
            default: size += hasBytes[index] ? 5 : 9
            }
        }
        return size
    }

    /// Roughly what a row read ahead takes in memory.
    private static func heldSize(_ row: [Cell]) -> Int {
        row.reduce(0) { total, cell in
            switch cell {
            case .text(let text): total + 32 + text.utf8.count
            case .blob(let bytes): total + 32 + bytes.count
            case .null, .integer, .real: total + 16
            }
        }
    }

    /// The bytes that the current row takes in a batch.
    private func rowSize() -> Int {
        var size = 0
        for index in columns.indices {
            size += hasBytes[index] ? 5 + Int(sqlite3_column_bytes(connection.statement, Int32(index))) : 9
        }
        return size
    }

    /// Whether a column's values lie in a batch as bytes. Asked for once the types are known.
    private lazy var hasBytes = columns.map { column in
        switch column.type {
        case .text, .blob, .asset: true
        case .integer, .real, .boolean, .timestamp, nil: false
        }
    }

    private func appendRow(to builder: BatchBuilder) throws(Diagnostic) {
        let statement = connection.statement
        var column = 0
        do throws(TabularError) {
            while column < columns.count {
                let index = Int32(column)
                switch sqlite3_column_type(statement, index) {
                case SQLITE_INTEGER: try builder.append(sqlite3_column_int64(statement, index), to: column)
                case SQLITE_FLOAT: try builder.append(sqlite3_column_double(statement, index), to: column)
                case SQLITE_TEXT: try builder.appendText(bytes(index), to: column)
                case SQLITE_BLOB: try builder.appendBlob(bytes(index), to: column)
                default: try builder.appendNull(to: column)
                }
                column += 1
            }
            try builder.endRow()
        } catch {
            throw unfit(error, column)
        }
    }

    private func append(_ row: [Cell], to builder: BatchBuilder) throws(Diagnostic) {
        var column = 0
        do throws(TabularError) {
            while column < row.count {
                try builder.append(cell: row[column], to: column)
                column += 1
            }
            try builder.endRow()
        } catch {
            throw unfit(error, column)
        }
    }

    private lazy var assetColumns = columns.indices.filter { columns[$0].type == .asset }

    /// Notes that the handles of a batch go to the plugin; so many rows came before it.
    private func deliverHandles(_ batch: Batch, _ before: Int) throws(Diagnostic) {
        let strangers = assetColumns.compactMap { column in
            assets.deliver(batch, column: column).map { (row: $0, column: column) }
        }
        guard let stranger = strangers.min(by: <) else { return }
        throw Diagnostic(
            .notAnAsset,
            "\(label(stranger.column)), row \(before + stranger.row + 1): the text is no asset's handle of this run",
            help: "select the table's asset column itself, unchanged")
    }

    private var rowNumber: Int { connection.session.governor.rows }

    /// A column as messages name it: by name where that is a plain word, for the default name of an expression is
    /// its text, literals included.
    private func label(_ column: Int) -> String {
        let name = columns[column].name
        let isWord = name.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
        }
        return isWord && !name.isEmpty && name.utf8.count <= 64
            ? "column \(column + 1) (\(name))" : "column \(column + 1)"
    }

    private func changed(_ column: Int, row: Int) -> Diagnostic {
        Diagnostic(
            .typeChanged, "\(label(column)), row \(row): the value is of another type than those before it",
            help: "write CAST(... AS TEXT), or another type, around the expression")
    }

    private func unfit(_ error: TabularError, _ column: Int) -> Diagnostic {
        let type = columns[column].type?.rawValue ?? "text"
        let place = "\(label(column)), row \(rowNumber)"
        switch error.code {
        case .notBoolean:
            return Diagnostic(.notABoolean, "\(place): a boolean is 0 or 1", help: "compare: column <> 0")
        case .notTimestamp:
            return Diagnostic(
                .notAMoment, "\(place): the text is no moment with a zone, such as 2026-03-01T12:00:00Z",
                help: "write strftime('%Y-%m-%dT%H:%M:%fZ', ...) around the expression")
        case .notUTF8:
            return Diagnostic(
                .notUTF8, "\(place): the text is not valid UTF-8", help: "do not cast blobs to text")
        case .batchTooLarge:
            return Diagnostic(.valueTooLong, "\(place): a batch's texts and blobs exceed its limit of bytes")
        default:
            guard isDeclared || columns[column].origin != nil else { return changed(column, row: rowNumber) }
            return Diagnostic(
                .notOfDeclaredType, "\(place): the value is not of the declared type \(type)",
                help: "write CAST(... AS \(type == "text" ? "TEXT" : "...")) around the expression")
        }
    }
}
