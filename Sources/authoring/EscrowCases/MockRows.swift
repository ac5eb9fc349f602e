import EscrowComputation
import EscrowDiagnostics
import EscrowJSON
import EscrowManifest
import EscrowTabular
import Glibc

/// The rows of a case, typed by the columns that the manifest accepts.
final class MockRows: RowProvider {
    let schema: Schema
    private let rows: [JSONNode]
    private var next = 0
    private let path: String

    init(_ rows: [JSONNode], _ columns: [AcceptedColumn], path: String) throws(Diagnostic) {
        self.rows = rows
        self.path = path
        do throws(TabularError) {
            schema = try Schema(columns.map { Field($0.name, type: $0.type, origin: "mock") })
        } catch {
            throw Diagnostic(.ownFault, "the columns cannot be described: \(error)")
        }
    }

    func next(maxRows: Int, maxBytes: Int) throws(Diagnostic) -> Batch? {
        guard next < rows.count else { return nil }
        let builder = BatchBuilder(schema: schema)
        while next < rows.count, builder.rowCount < maxRows, builder.byteCount < maxBytes {
            try append(rows[next], to: builder)
            next += 1
        }
        return builder.finish()
    }

    private func append(_ row: JSONNode, to builder: BatchBuilder) throws(Diagnostic) {
        let place = Diagnostic.Place(file: path, line: row.position.line, column: row.position.column)
        guard case .array(let cells) = row.content, cells.count == schema.columnCount else {
            throw Diagnostic(
                .caseFailed, "row \(next + 1) of the case is not an array of \(schema.columnCount) cells",
                at: place,
                help: "give one value for each of accepts.columns")
        }
        do throws(TabularError) {
            for (column, cell) in cells.enumerated() {
                switch cell.content {
                case .null: try builder.appendNull(to: column)
                case .bool(let value): try builder.append(Int64(value ? 1 : 0), to: column)
                case .integer(let value): try builder.append(cell: .integer(value), to: column)
                case .real(let value): try builder.append(cell: .real(value), to: column)
                case .string(let value): try builder.append(cell: .text(value), to: column)
                case .array, .object:
                    let bytes = cell.value["b64"]?.string.flatMap { Base64.decode($0.utf8) }
                    try builder.append(cell: bytes.map(Cell.blob) ?? .null, to: column)
                }
            }
            try builder.endRow()
        } catch {
            throw Diagnostic(
                .caseFailed, "row \(next + 1) of the case does not fit its columns: \(error)", at: place)
        }
    }
}
