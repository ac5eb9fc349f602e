public import EscrowConsent
public import EscrowDiagnostics
import EscrowRelational
import EscrowSchema
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
        for name in description.reads.map(\.table) {
            let budget = AccessBudget(seconds: 0.3)
            var count = 0
            do throws(Diagnostic) {
                let access = try Access(
                    AccessRequest(sql: "SELECT 1 FROM \"\(name)\"", budget: budget), tables: tables,
                    assets: AssetTable(), materials: materials, spare: spare)
                while let batch = try access.next(maxRows: 8_192, maxBytes: 1 << 20) {
                    count += batch.rowCount
                }
                counts[name] = RowCount(count)
            } catch {
                // Whatever ends it, what was counted is there.
                if count > 0 { counts[name] = RowCount(count, isMore: true) }
            }
        }
        return counts
    }
}
