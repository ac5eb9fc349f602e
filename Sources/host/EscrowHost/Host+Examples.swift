public import EscrowConsent
public import EscrowDiagnostics
import EscrowIdentity
import EscrowMinimisation
public import EscrowQuestion
import EscrowRelational
import EscrowSchema
import EscrowTabular

/// What the individual looks at while they choose less. It is their own data, and goes nowhere but to the terminal on which they
/// asked for it: no record of it is kept.
extension Host {
    /// The columns that a dataflow reads, each with a value of the first rows, as it is and as it would be served under a limit.
    public func columnExamples(
        of description: DataflowDescription, under limit: GrantLimit
    ) throws(Diagnostic) -> [ColumnExample] {
        if !limit.isEmpty { try check(limit, for: description) }
        let hash = DeferredHash()
        let coarser = description.minimisation.joined(with: limit.coarser)
        let plain = try Self.served(try tables(), rows: limit.rows)
        let coarse = try Self.minimised(plain, by: coarser, granted: nil, hash: hash.keyedHash)
        if !coarser.isEmpty {
            hash.set(
                try identifiers.keyedHash(app: description.app, publisher: description.plugin.signerKeyID))
        }
        var examples: [ColumnExample] = []
        for use in description.reads {
            guard let spec = plain.first(where: { $0.spec.name == use.table })?.spec else { continue }
            let columns = (use.returned + use.used).compactMap { name in
                spec.column(named: name).map { spec.columns[$0] }
            }
            let before = firstRows(of: use.table, columns, in: plain, hash)
            let after = firstRows(of: use.table, columns, in: coarse, hash)
            for (place, column) in columns.enumerated() {
                // The longest says most of what becomes of it. Where rows are left out, too, there is no telling which one it was.
                let values = before.map { $0[place] }
                let row = values.indices.max { (values[$0]?.count ?? 0, $1) < (values[$1]?.count ?? 0, $0) }
                let old = row.flatMap { values[$0] }
                let isSame = before.count == after.count
                let new =
                    isSame ? row.flatMap { after[$0][place] } : after.lazy.compactMap { $0[place] }.first
                examples.append(
                    ColumnExample(
                        table: use.table, name: column.name, kind: Self.kind(column.type),
                        plain: isSame ? old : new, value: new))
            }
        }
        return examples
    }

    /// The first rows as they are shown, as far as they are read in half a second.
    private func firstRows(
        of table: String, _ columns: [ColumnSpec], in tables: [any TableSource], _ hash: DeferredHash
    ) -> [[String?]] {
        var found: [[String?]] = []
        // Whatever ends it, what was found is there.
        try? rows(of: table, columns.map(\.name), in: tables, hash, most: Self.mostRows) { cells in
            found.append(zip(cells, columns).map { $1.type == .asset ? nil : Self.shown($0) })
            return found.count < Self.mostRows
        }
        return found
    }

    /// The first records of a dataflow's tables that have all these words, of tables whose records have ids.
    public func recordExamples(
        of description: DataflowDescription, with words: String
    ) throws(Diagnostic) -> [RecordExample] {
        let tables = try tables()
        let words = words.lowercased().split(separator: " ").map { String($0) }
        var found: [RecordExample] = []
        for use in description.reads {
            guard let spec = tables.first(where: { $0.spec.name == use.table })?.spec,
                spec.column(named: "id") != nil
            else { continue }
            let names = Self.telling(spec)
            try? rows(of: use.table, ["id"] + names, in: tables, DeferredHash(), most: .max) { cells in
                let told = cells.dropFirst().compactMap { Self.shown($0) }.prefix(3).joined(separator: ", ")
                let lower = told.lowercased()
                if let id = Self.shown(cells[0], longest: .max), words.allSatisfy({ lower.contains($0) }) {
                    found.append(RecordExample(table: use.table, id: id, words: told))
                }
                return found.count < Self.mostRecords
            }
        }
        return found
    }

    /// The rows of a table until one is the last that is wanted, for half a second.
    private func rows(
        of table: String, _ columns: [String], in tables: [any TableSource], _ hash: DeferredHash, most: Int,
        _ body: ([Cell]) -> Bool
    ) throws(Diagnostic) {
        guard !columns.isEmpty else { return }
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        let access = try Access(
            AccessRequest(
                sql: "SELECT \(names) FROM \"\(table)\"", budget: AccessBudget(seconds: 0.5),
                hash: hash.keyedHash),
            tables: tables, assets: AssetTable(), materials: materials, spare: spare)
        var read = 0
        while read < most, let batch = try access.next(maxRows: min(most, 512), maxBytes: 1 << 20) {
            for row in 0..<batch.rowCount {
                let cells = columns.indices.map { column -> Cell in
                    guard batch.schema.fields[column].type == .timestamp else {
                        return batch.cell(row: row, column: column)
                    }
                    return batch.timestamp(row: row, column: column).map { .text($0.iso8601) } ?? .null
                }
                guard body(cells) else { return }
            }
            read += batch.rowCount
        }
    }

    /// The columns that tell a record from others, as people know it: its name or title first.
    private static func telling(_ spec: TableSpec) -> [String] {
        let texts = spec.columns.filter { [.text, .timestamp].contains($0.type) && $0.name != "id" }.map(
            \.name)
        let first = wellKnown.filter { texts.contains($0) }
        return Array((first + texts.filter { !first.contains($0) }).prefix(6))
    }

    private static let wellKnown = [
        "fullName", "title", "name", "subject", "filename", "givenName", "familyName", "fromName", "artist",
        "startDate", "creationDate", "timestamp",
    ]
    private static let mostRecords = 20
    private static let mostRows = 20

    private static func shown(_ cell: Cell, longest: Int = 60) -> String? {
        switch cell {
        case .null, .blob: nil
        case .text(let text): text.isEmpty ? nil : String(text.prefix(longest))
        case .integer(let value): String(value)
        case .real(let value): String(value)
        }
    }

    private static func kind(_ type: ColumnType) -> ColumnExample.Kind {
        switch type {
        case .text: .text
        case .integer: .integer
        case .real: .real
        case .timestamp: .moment
        case .asset: .file
        default: .other
        }
    }
}
