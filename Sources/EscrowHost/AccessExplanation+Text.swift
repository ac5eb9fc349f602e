public import EscrowJSON
public import EscrowRelational

extension AccessExplanation {
    /// The explanation in words; `delivered` rows came out, nil where nothing was read.
    public func lines(delivered: Int?) -> [String] {
        var lines: [String] = []
        for scan in scans {
            lines.append("table      \(scan.table)")
            lines.append(
                "  columns  \(scan.columns.isEmpty ? "none: only the number of rows" : scan.columns.joined(separator: ", "))"
            )
            lines.append(
                "  pushed   \(scan.pushed.isEmpty ? "nothing" : scan.pushed.joined(separator: "; "))")
            if !scan.leftToSQLite.isEmpty {
                lines.append("  SQLite   \(scan.leftToSQLite.joined(separator: "; "))")
            }
            var rows = "  rows     estimated \(scan.estimatedRows) of \(scan.estimatedTableRows)"
            if delivered != nil { rows += ", read \(scan.scannedRows), passed on \(scan.passedRows)" }
            if scan.scanCount > 1 {
                rows +=
                    ", in \(scan.scanCount) scans (\(scan.heldCount) from memory, \(scan.lookupCount) by index)"
            }
            lines.append(rows)
        }
        if let delivered { lines.append("result     \(delivered) rows") }
        lines.append("plan")
        return lines + queryPlan.map { "  " + $0 }
    }

    /// The explanation for `--format json`.
    public func json(delivered: Int?) -> JSONValue {
        [
            "scans": .array(
                scans.map { scan in
                    [
                        "table": .string(scan.table), "columns": .array(scan.columns.map(JSONValue.string)),
                        "terms": .array(
                            scan.terms.map {
                                [
                                    "column": .string($0.column), "operation": .string($0.operation),
                                    "exact": .bool($0.isExact),
                                    "bySource": $0.isUsedBySource.map(JSONValue.bool) ?? .null,
                                ]
                            }),
                        "leftToSQLite": .array(scan.leftToSQLite.map(JSONValue.string)),
                        "order": .array(scan.order.map(JSONValue.string)),
                        "sorter": scan.sorter.map { .string($0.rawValue) } ?? .null,
                        "limit": .bool(scan.usesLimit),
                        "estimatedRows": .integer(Int64(scan.estimatedRows)),
                        "estimatedTableRows": .integer(Int64(scan.estimatedTableRows)),
                        "scans": .integer(Int64(scan.scanCount)),
                        "scannedRows": .integer(Int64(scan.scannedRows)),
                        "passedRows": .integer(Int64(scan.passedRows)),
                    ]
                }),
            "queryPlan": .array(queryPlan.map(JSONValue.string)),
            "rows": delivered.map { .integer(Int64($0)) } ?? .null,
        ]
    }
}

extension ScanExplanation {
    /// What reached the engine or the source, in words.
    fileprivate var pushed: [String] {
        var parts = terms.map { term in
            let reader = term.isUsedBySource == true ? "by the source" : "by the engine"
            return
                "\(term.column) \(term.operation) (\(reader)\(term.isExact ? "" : ", checked again by SQLite"))"
        }
        if let sorter {
            parts.append("order by \(order.joined(separator: ", ")) (by the \(sorter.rawValue))")
        }
        if usesLimit { parts.append("limit") }
        return parts
    }
}
