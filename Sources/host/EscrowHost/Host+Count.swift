public import EscrowConsent
public import EscrowDiagnostics
import EscrowRelational
import EscrowSchema
import EscrowSources
import EscrowTableKit
import EscrowTabular

extension Host {
    /// About how many rows of each table a dataflow reads under a limit: counted for a moment, for the question.
    ///
    /// Throws where the limit cannot be served.
    public func rowCounts(
        of description: DataflowDescription, under limit: GrantLimit
    ) throws(Diagnostic) -> [String: RowCount] {
        if !limit.isEmpty { try check(limit, for: description) }
        let tables = try Self.served(try tables(), rows: limit.rows)
        var counts: [String: RowCount] = [:]
        for name in description.reads.map(\.table) { counts[name] = count(name, in: tables) }
        return counts
    }

    /// About how many rows a source would serve that is none yet, of the first table of its kind; nil where none was counted.
    public func rowCount(ofSource kind: String, at path: String) -> RowCount? {
        guard let registry = try? SourceRegistry.of(kind: kind, path: path),
            let table = SourceKind(rawValue: kind)?.tables.first
        else { return nil }
        return count(table, in: registry.tables(memory: sourceMemory))
    }

    /// The rows that are counted in a third of a second.
    private func count(_ table: String, in tables: [any TableSource]) -> RowCount? {
        var count = 0
        do throws(Diagnostic) {
            let access = try Access(
                AccessRequest(sql: "SELECT 1 FROM \"\(table)\"", budget: AccessBudget(seconds: 0.3)),
                tables: tables, assets: AssetTable(), materials: materials, spare: spare)
            while let batch = try access.next(maxRows: 8_192, maxBytes: 1 << 20) { count += batch.rowCount }
            return RowCount(count)
        } catch {
            // Whatever ends it, what was counted is there.
            return count > 0 ? RowCount(count, isMore: true) : nil
        }
    }
}
