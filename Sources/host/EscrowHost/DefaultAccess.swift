public import EscrowDiagnostics
import EscrowIdentity
public import EscrowManifest
import EscrowRelational
import EscrowSchema
import EscrowSources
import EscrowTabular

/// A plugin's own query against its own declaration: what people grant is what happens.
public enum DefaultAccess {
    /// Prepares the query over the escrow's tables without any data. The columns that it reads must be just those that
    /// the manifest declares; returns them in words.
    public static func check(_ sql: String, against manifest: Manifest, file: String) throws(Diagnostic)
        -> String
    {
        var values: [String: Cell] = [:]
        for name in Access.parameterNames(in: sql) { values[name] = .null }
        let granted = Dictionary(
            manifest.accepts.reads.map { ($0.table, Set($0.columns)) }, uniquingKeysWith: { $0.union($1) })
        let tables = try Host.minimised(
            try SourceRegistry.load(directory: "/nonexistent").tables(), by: manifest.accepts.minimisation,
            granted: granted, hash: DeferredHash().keyedHash)
        let access = try Access(
            AccessRequest(sql: sql, parameters: values), tables: tables, assets: AssetTable())
        let declared = Set(
            manifest.accepts.reads.flatMap { reads in
                reads.columns.map { ColumnRef(table: reads.table, column: $0) }
            })
        let observed = access.analysis.used
        let more = observed.subtracting(declared).sorted()
        let less = declared.subtracting(observed).sorted()
        guard more.isEmpty, less.isEmpty else {
            throw Diagnostic(
                .defaultQueryReadsMore, "the default access reads other columns than the manifest declares",
                at: .init(file: file),
                notes: more.map { "it reads \($0), which is not declared" }
                    + less.map { "\($0) is declared, and it does not read it" },
                help: "let accepts.reads list just what the query reads")
        }
        let names = access.columns.map(\.name)
        guard names == manifest.accepts.columns.map(\.name) else {
            throw Diagnostic(
                .columnsNotAccepted, "the default access yields other columns than accepts.columns lists",
                at: .init(file: file),
                notes: [
                    "it yields: \(names.joined(separator: ", "))",
                    "accepted, in this order: \(manifest.accepts.columns.map(\.name).joined(separator: ", "))",
                ], help: "name the columns with AS, in the order of accepts.columns")
        }
        return observed.sorted().map(\.description).joined(separator: ", ")
    }
}
