package import EscrowDiagnostics
import EscrowJSON
package import EscrowManifest
package import EscrowTabular
package import EscrowWire

extension ResultSchema {
    /// What leaves, or a diagnostic of the plugin's fault.
    package func check(_ payload: ResultPayload, plugin: PluginIdentity) throws(Diagnostic)
        -> NormalizedResult
    {
        switch payload {
        case .json(let node): return try normalize(node)
        case .rows(let rows): return try normalize(rows: rows)
        case .stream(let bytes, let announced):
            let rows = try read(stream: bytes, plugin: plugin)
            guard announced == nil || announced == rows.count else {
                throw Diagnostic(
                    .resultNotAsDeclared,
                    "\(plugin.shortName) \(plugin.version) announced another number of rows than it sent",
                    notes: ["nothing was returned"])
            }
            return try normalize(rows: rows)
        case .bytes(let bytes, let mediaType): return try normalize(bytes: bytes, mediaType: mediaType)
        }
    }

    private func read(stream bytes: [UInt8], plugin: PluginIdentity) throws(Diagnostic) -> [[JSONValue]] {
        var limits = ArrowLimits()
        // Bits take little room: the declared rows are the limit before anything is spread out.
        limits.rows = min(limits.rows, maxRows)
        limits.totalBytes = min(limits.totalBytes, 4 * maxBytes + 65_536)
        var reader = ArrowStreamReader(limits: limits)
        do throws(TabularError) {
            let batches = try reader.feed(bytes)
            try reader.finish()
            return batches.flatMap { batch in
                (0..<batch.rowCount).map { row in
                    batch.schema.fields.indices.map { column in batch.json(row: row, column: column) }
                }
            }
        } catch {
            throw Diagnostic(
                .resultNotAsDeclared,
                "\(plugin.shortName) \(plugin.version) returned a table that is not a valid Arrow stream",
                notes: ["\(error)", "nothing was returned"])
        }
    }

    /// The protocol's word for the kind.
    package var wireKind: ResultKind {
        switch kind {
        case .record: .record
        case .table: .table
        case .text: .text
        case .bytes: .bytes
        }
    }

    /// The names of a table's columns; nil for other kinds.
    package var columnNames: [String]? {
        guard case .table(let table) = kind else { return nil }
        return table.columns.map(\.name)
    }
}

extension Batch {
    /// A cell as results spell it.
    fileprivate func json(row: Int, column: Int) -> JSONValue {
        if isNull(row: row, column: column) { return .null }
        switch schema.fields[column].type {
        case .boolean: return .bool(integer(row: row, column: column) != 0)
        case .timestamp: return (timestamp(row: row, column: column)?.iso8601).map(JSONValue.string) ?? .null
        default: break
        }
        return switch cell(row: row, column: column) {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let value): .string(value)
        case .blob(let bytes): ["b64": .string(Base64.encode(bytes))]
        }
    }
}

extension ResultSchema {
    /// The most rows of a table; one for other kinds.
    package var maxRows: Int {
        guard case .table(let table) = kind else { return 1 }
        return table.maxRows
    }

    /// A table's columns with the types that matter where everything is text: in CSV.
    package var filterColumns: [(name: String, type: ColumnType)] {
        guard case .table(let table) = kind else { return [] }
        return table.columns.map { column in
            let type: ColumnType =
                switch column.type {
                case .integer: .integer
                case .real: .real
                case .boolean: .boolean
                case .blob: .blob
                case .text, .list: .text
                }
            return (column.name, type)
        }
    }
}
