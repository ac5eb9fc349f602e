import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Testing

@testable import EscrowRelational

/// Which column a result column is taken from, as it is reported, against values that name their own column.
@Suite("The reported origin of a column")
struct OriginTests {
    private static let names = ["a", "b", "c"]

    private static func table(_ name: String) -> SyntheticSource {
        let spec = TableSpec(
            name: name, sourceKind: "rows", summary: "rows",
            columns: names.map { ColumnSpec($0, .text, "a column") }, examples: [])
        let rows = (0..<3).map { row in names.map { Cell.text("\(name).\($0) \(row)") } }
        // One row that joins on any column.
        return SyntheticSource(spec, rows: rows + [[.text("same"), .text("same"), .text("same")]])
    }

    /// Columns with an origin, and those of them that hold a value of another column; nil where the query is refused.
    private static func check(_ sql: String, _ engine: Engine) -> (known: Int, wrong: Int)? {
        guard
            let access = try? Access(
                AccessRequest(sql: sql, engine: engine), tables: [table("T"), table("U")],
                assets: AssetTable()),
            let rows = try? access.allRows()
        else { return nil }
        var wrong = 0
        for (index, column) in access.columns.enumerated() {
            guard let origin = column.origin else { continue }
            for row in rows {
                guard case .text(let value) = row[index], value != "same" else { continue }
                if !value.hasPrefix(origin.description + " ") { wrong += 1 }
            }
        }
        return (access.columns.count { $0.origin != nil }, wrong)
    }

    @Test(
        "is none where one of several SELECTs gives the value",
        arguments: [
            "SELECT (VALUES(b), (a)) AS x FROM T",
            "SELECT (SELECT * FROM (VALUES(b), (a)) LIMIT 1) AS x FROM T",
            "SELECT (WITH v AS (values(b), (a)) SELECT * FROM v LIMIT 1) AS x FROM T",
            "SELECT (SELECT b UNION ALL SELECT a LIMIT 1) AS x FROM T",
            "SELECT b AS x FROM T EXCEPT SELECT a FROM T",
            "SELECT x FROM (SELECT b AS x FROM T UNION SELECT a FROM T)",
        ], Engine.allCases)
    func several(_ sql: String, _ engine: Engine) throws {
        let found = try #require(Self.check(sql, engine))
        #expect(found.known == 0 && found.wrong == 0)
    }

    @Test(
        "is the column that is handed over unchanged",
        arguments: [
            "SELECT b AS x FROM T", "SELECT (SELECT b) AS x FROM T",
            "WITH w AS (SELECT b AS x FROM T) SELECT x FROM w",
            "SELECT t.a AS x FROM T t FULL JOIN U u ON t.b = u.b",
            "SELECT b AS x, max(a) AS y FROM T GROUP BY c",
        ])
    func plain(_ sql: String) throws {
        let found = try #require(Self.check(sql, .pushdown))
        #expect(found.known == 1 && found.wrong == 0)
    }

    @Test("is never another column than the one that gives the values, in any statement")
    func random() {
        var statements = OriginStatement(seed: 7)
        var (ran, known) = (0, 0)
        for _ in 0..<800 {
            let sql = statements.next()
            guard let found = Self.check(sql, .pushdown) else { continue }
            ran += 1
            known += found.known
            #expect(found.wrong == 0, "\(sql)")
        }
        #expect(ran > 400 && known > 200, "\(ran) statements, \(known) origins")
    }
}

/// Statements over the tables T and U that hand columns on in every way that keeps a value.
private struct OriginStatement {
    private var state: UInt64
    private var number = 0

    init(seed: UInt64) { state = seed }

    private mutating func pick<Item>(_ items: [Item]) -> Item {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return items[Int((state >> 33) % UInt64(items.count))]
    }

    private mutating func alias() -> String {
        number += 1
        return "s\(number)"
    }

    mutating func next() -> String {
        guard pick([true, false, false]) else { return select(0) }
        let (inner, columns) = (select(1), ["p.a", "p.b", "q.c", "q.a"])
        return "WITH w AS (\(inner)), U AS (SELECT b AS a, c AS b, a AS c FROM w) SELECT "
            + "\(value(columns, 1)) AS a, \(value(columns, 1)) AS b FROM w AS p JOIN \(pick(["w", "U", "main.T"])) AS q"
    }

    private mutating func select(_ depth: Int) -> String {
        let first = alias()
        var (from, tables) = (source(first, depth), [first])
        if pick([true, false]) {
            let second = alias()
            tables.append(second)
            let join = pick(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
            from += " \(join) \(source(second, depth)) ON "
            from += pick([
                "\(first).a = \(second).a", "\(first).a < \(second).b", "\(first).b IS \(second).c",
            ])
        }
        let columns = tables.flatMap { table in ["a", "b", "c"].map { "\(table).\($0)" } }
        let values = ["a", "b", "c"].map { "\(value(columns, depth)) AS \($0)" }.joined(separator: ", ")
        var sql = "SELECT \(pick(["", "", "DISTINCT "]))\(values) FROM \(from)"
        let column = pick(columns)
        sql += pick([
            "", "", " WHERE \(column) = \(pick(columns))", " WHERE \(column) = 'same'",
            " WHERE \(column) > 'T'",
        ])
        sql += pick(["", "", " GROUP BY \(pick(columns))"])
        return sql + pick(["", "", " ORDER BY \(pick(columns + ["1", "2"])) DESC", " LIMIT 3"])
    }

    private mutating func source(_ alias: String, _ depth: Int) -> String {
        depth > 1 || pick([true, false])
            ? "\(pick(["T", "U"])) AS \(alias)" : "(\(select(depth + 1))) AS \(alias)"
    }

    private mutating func value(_ columns: [String], _ depth: Int) -> String {
        let (column, other) = (pick(columns), pick(columns))
        guard depth < 3 else { return column }
        switch pick(Array(0..<16)) {
        case 0: return "(SELECT \(value(columns, depth + 1)))"
        case 1: return "(SELECT \(value(columns, depth + 1)) FROM \(pick(["T", "U"])) AS \(alias()) LIMIT 1)"
        case 2: return "max(\(column))"
        case 3: return "(\(column))"
        case 4: return "\(column) COLLATE NOCASE"
        case 5: return "coalesce(\(column), \(other))"
        case 6: return "first_value(\(column)) OVER (ORDER BY \(other))"
        case 7: return "(VALUES(\(column)), (\(other)))"
        default: return column
        }
    }
}
