public import EscrowJSON

extension AccessExplanation {
    /// The explanation in words; `delivered` rows came out, nil where nothing was read.
    public func lines(delivered: Int?) -> [String] {
        var lines = ["engine     \(engine.rawValue)"]
        for copy in copies {
            lines.append("table      \(copy.table), as a native copy")
            lines.append("  columns  \(Self.list(copy.columns))")
            lines.append("  SQLite   filters, sorts and limits by itself")
            let rows = copy.rows.map { "\($0)\(copy.isReused ? ", copied by an earlier query" : " copied")" }
            lines.append("  rows     \(rows ?? "not copied yet")")
        }
        for scan in scans {
            lines.append("table      \(scan.table)")
            lines.append("  columns  \(Self.list(scan.columns))")
            lines += scan.decisions
            var rows = "  rows     estimated \(scan.estimatedRows) of \(scan.estimatedTableRows)"
            if delivered != nil { rows += ", read \(scan.scannedRows), passed on \(scan.passedRows)" }
            if scan.scanCount > 1 {
                rows +=
                    ", in \(scan.scanCount) scans (\(scan.heldCount) from memory, \(scan.lookupCount) by index)"
            }
            lines.append(rows)
        }
        for kept in keptBySQLite { lines.append("SQLite     \(kept)") }
        if let delivered { lines.append("result     \(delivered) rows") }
        lines.append("plan")
        return lines + queryPlan.map { "  " + $0 }
    }

    private static func list(_ columns: [String]) -> String {
        columns.isEmpty ? "none: only the number of rows" : columns.joined(separator: ", ")
    }

    /// The explanation for `--format json`.
    public func json(delivered: Int?) -> JSONValue {
        [
            "engine": .string(engine.rawValue),
            "scans": .array(
                scans.map { scan in
                    [
                        "table": .string(scan.table), "columns": .array(scan.columns.map(JSONValue.string)),
                        "terms": .array(
                            scan.terms.map {
                                [
                                    "column": .string($0.column), "operation": .string($0.operation),
                                    "exact": .bool($0.isExact),
                                    "whyRechecked": .words($0.whyRechecked),
                                    "bySource": $0.isUsedBySource.map(JSONValue.bool) ?? .null,
                                ]
                            }),
                        "leftToSQLite": .array(
                            scan.leftToSQLite.map {
                                [
                                    "column": .string($0.column), "operation": .string($0.operation),
                                    "why": .string($0.why),
                                ]
                            }),
                        "order": .array(scan.order.map(JSONValue.string)),
                        "sorter": scan.sorter.map { .string($0.rawValue) } ?? .null,
                        "whyNoOrder": .words(scan.whyNoOrder),
                        "limit": .bool(scan.usesLimit), "whyNoLimit": .words(scan.whyNoLimit),
                        "estimatedRows": .integer(Int64(scan.estimatedRows)),
                        "estimatedTableRows": .integer(Int64(scan.estimatedTableRows)),
                        "scans": .integer(Int64(scan.scanCount)),
                        "scannedRows": .integer(Int64(scan.scannedRows)),
                        "passedRows": .integer(Int64(scan.passedRows)),
                    ]
                }),
            "copies": .array(
                copies.map { copy in
                    [
                        "table": .string(copy.table), "columns": .array(copy.columns.map(JSONValue.string)),
                        "rows": copy.rows.map { .integer(Int64($0)) } ?? .null,
                        "reused": .bool(copy.isReused),
                    ]
                }),
            "keptBySQLite": .array(keptBySQLite.map(JSONValue.string)),
            "queryPlan": .array(queryPlan.map(JSONValue.string)),
            "rows": delivered.map { .integer(Int64($0)) } ?? .null,
        ]
    }
}

extension ScanExplanation {
    /// What became of each term, of the order and of the limit: a line each.
    fileprivate var decisions: [String] {
        var lines = terms.map { term in
            let reader = term.isUsedBySource == true ? "by the source" : "by the engine"
            let check =
                term.whyRechecked.map { "SQLite checks again: \($0)" } ?? "exactly, SQLite relies on it"
            return "  pushed   \(term.column) \(term.operation) (\(reader); \(check))"
        }
        if let sorter {
            lines.append("  pushed   order by \(order.joined(separator: ", ")) (by the \(sorter.rawValue))")
        }
        if usesLimit { lines.append("  pushed   limit (as a hint; SQLite counts by itself)") }
        if lines.isEmpty { lines.append("  pushed   nothing") }
        lines += leftToSQLite.map { "  SQLite   \($0)" }
        if let whyNoOrder { lines.append("  SQLite   order (\(whyNoOrder))") }
        if let whyNoLimit { lines.append("  SQLite   limit (\(whyNoLimit))") }
        return lines
    }
}

extension JSONValue {
    /// Words, or null where there are none.
    fileprivate static func words(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}
