import EscrowComputation
import EscrowConsent
import EscrowDiagnostics
import EscrowHome
import EscrowIdentity
package import EscrowJSON
import EscrowManifest
import EscrowMinimisation
import EscrowRelational
import EscrowSchema
package import EscrowTabular

extension RunHost {
    /// Prepares a query within what a plugin declares. No data is touched.
    ///
    /// Without `bindings` every `:name` is null: for decisions that are made before any run. The tables are as coarse
    /// as the manifest asks for, or as the individual imposes where that is coarser.
    func prepare(
        _ sql: String, bindings: [String: Cell]?, for manifest: Manifest, assets: AssetTable,
        imposed: Minimisation = .none, rows: [String: GrantLimit.Rows] = [:],
        hash: DeferredHash = DeferredHash(),
        records: ReadRecorder? = nil, engine: Engine = .pushdown
    ) throws(Diagnostic) -> Access {
        var budget = AccessBudget()
        // The stream of rows counts both, and says what the run came to. One row more shows that there are too many.
        budget.rows = RunLimits(manifest, caps: configuration.caps)[.rows] + 1
        budget.bytes = .max
        let granted = Dictionary(
            manifest.accepts.reads.map { ($0.table, Set($0.columns)) }, uniquingKeysWith: { $0.union($1) })
        var values = bindings ?? [:]
        if bindings == nil { for name in Access.parameterNames(in: sql) { values[name] = .null } }
        // What is not served is not read: the record of reads begins above it.
        let tables = try Self.served(try self.tables(), rows: rows)
        let access = try Access(
            AccessRequest(
                sql: sql, parameters: values, granted: granted,
                columnTypes: manifest.accepts.columns.map(\.type),
                budget: budget, engine: engine, hash: hash.keyedHash),
            tables: try Self.minimised(
                records?.watch(tables) ?? tables, by: manifest.accepts.minimisation.joined(with: imposed),
                granted: granted, hash: hash.keyedHash),
            assets: assets, materials: materials, spare: spare)
        let names = access.columns.map(\.name)
        guard names == manifest.accepts.columns.map(\.name) else {
            throw Diagnostic(
                .columnsNotAccepted, "the query yields other columns than \(manifest.shortName) accepts",
                notes: [
                    "it yields: \(names.joined(separator: ", "))",
                    "accepted, in this order: \(manifest.accepts.columns.map(\.name).joined(separator: ", "))",
                ], help: "name the columns with AS, in the plugin's order")
        }
        return access
    }

    /// Tables of which some records alone are served, decided by what they hold before it is made coarser.
    static func served(
        _ tables: [any TableSource], rows: [String: GrantLimit.Rows]
    ) throws(Diagnostic) -> [any TableSource] {
        guard !rows.isEmpty else { return tables }
        var served: [any TableSource] = []
        for table in tables {
            let limit = rows.first { $0.key.lowercased() == table.spec.name.lowercased() }?.value
            guard let limit else {
                served.append(table)
                continue
            }
            let first = limit.first.map { (count: $0, by: limit.newestBy) }
            served.append(
                try ServedTable(table, ids: limit.ids, condition: limit.condition, first: first))
        }
        return served
    }

    /// Whether a limit can be served: its tables are read by the dataflow, its columns exist, its conditions are SQL.
    func requireServable(_ limit: GrantLimit, for description: DataflowDescription) throws(Diagnostic) {
        let tables = try tables()
        for name in Array(limit.rows.keys) + Array(limit.coarser.tables.keys) {
            guard description.reads.contains(where: { $0.table.lowercased() == name.lowercased() }) else {
                throw Diagnostic(
                    .limitOfTableNotRead,
                    "the dataflow reads no table \(PlainText.neutral(name, longest: 64))",
                    notes: ["it reads: \(description.reads.map(\.table).joined(separator: ", "))"],
                    help: "limit a table that it reads")
            }
        }
        _ = try Self.minimised(
            try Self.served(tables, rows: limit.rows), by: limit.coarser, granted: nil,
            hash: DeferredHash().keyedHash)
    }

    /// Tables as coarse as they are to be.
    static func minimised(
        _ tables: [any TableSource], by minimisation: Minimisation, granted: [String: Set<String>]?,
        hash: KeyedHash
    ) throws(Diagnostic) -> [any TableSource] {
        guard !minimisation.isEmpty else { return tables }
        var coarse: [any TableSource] = []
        for table in tables {
            let columns = granted.map {
                $0.first { $0.key.lowercased() == table.spec.name.lowercased() }?.value ?? []
            }
            coarse.append(try MinimisedTable.wrap(table, minimisation, granted: columns, hash: hash))
        }
        return coarse
    }

    /// Holds an app's query to the roles that the plugin's own query gives its columns.
    ///
    /// A plugin may return one of its columns and only compute over another: with the two exchanged it would return what
    /// it never should. So each column must come from where the plugin's own query takes it, and one that is computed
    /// there can only be had by that query. A plugin that asks for a minimum number of rows answers its own query alone:
    /// joins and limits make any number of rows out of one person's.
    func checkRoles(
        of access: Access, sql: String, for manifest: Manifest
    ) throws(Diagnostic) {
        guard let own = manifest.defaultAccess, own != sql else { return }
        guard manifest.accepts.rows.minimum <= 1 else {
            throw Diagnostic(
                .ownQueryOnly,
                "\(manifest.shortName) answers its own query only, since it asks for a minimum number of rows",
                help: "leave the query out; its parameters can be given with --param")
        }
        let model = try prepare(own, bindings: nil, for: manifest, assets: AssetTable())
        for (column, expected) in zip(access.columns, model.columns) {
            guard let origin = expected.origin, column.origin == origin else {
                let place =
                    expected.origin.map { "taken from \($0) as it is" }
                    ?? "computed by the plugin's own query"
                throw Diagnostic(
                    .columnElsewhere,
                    "the query puts something else where \(manifest.shortName) expects \"\(expected.name)\"",
                    notes: ["\"\(expected.name)\" must be \(place)"],
                    help:
                        "select the same columns as the plugin's own query, and vary WHERE, ORDER BY and LIMIT"
                )
            }
        }
    }
}

extension Access {
    /// Whether the query makes pseudonyms or samples of its own.
    var isKeyed: Bool { !analysis.functions.isDisjoint(with: ["pseudonym", "in_sample"]) }
}

/// Ds out of the engine.
final class AccessRows: RowProvider {
    let schema: Schema
    private let access: Access

    init(_ access: Access, columns: [AcceptedColumn]) throws(Diagnostic) {
        self.access = access
        do throws(TabularError) {
            schema = try Schema(
                zip(columns, access.columns).map { accepted, column in
                    Field(accepted.name, type: accepted.type, origin: column.origin?.description ?? "expr")
                })
        } catch {
            throw Diagnostic(.ownFault, "the columns cannot be described: \(error)")
        }
    }

    func next(maxRows: Int, maxBytes: Int) throws(Diagnostic) -> Batch? {
        try access.next(maxRows: maxRows, maxBytes: maxBytes)
    }
}

extension JSONValue {
    /// A parameter's value as SQL binds it; nil for what SQL has no value for.
    package var cell: Cell? {
        switch self {
        case .null: .null
        case .bool(let value): .integer(value ? 1 : 0)
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .string(let value): .text(value)
        case .array, .object: nil
        }
    }
}
