import EscrowTabular

@testable import EscrowRelational

/// A statement over a random schema: joins, sub-queries, common table expressions, aggregates, windows.
struct RandomStatement {
    private(set) var sql = ""
    private(set) var parameters: [String: Cell] = [:]
    /// Whether the rows come in one order only.
    private(set) var isTotal = false

    private let schema: RandomSchema
    private var generator: SeededGenerator

    /// What stands behind FROM: a table, a sub-query or a common table expression.
    private struct Item {
        let source: String
        let alias: String
        /// Columns with their alias.
        let columns: [String]
        var id: String { alias + ".\"id\"" }
    }

    init(_ schema: RandomSchema, seed: UInt64) {
        self.schema = schema
        generator = SeededGenerator(state: seed)
        switch number(12) {
        case 0...3: plain(items: 1)
        case 4, 5: plain(items: 2)
        case 6: plain(items: 3)
        case 7: grouped()
        case 8: windowed()
        case 9: compound()
        case 10: distinct()
        default: aggregate()
        }
        // Terms that were drawn and not chosen leave their values behind.
        let names = Set(Access.parameterNames(in: sql))
        parameters = parameters.filter { names.contains($0.key) }
    }

    // MARK: values

    private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
    private mutating func pick<T>(_ values: [T]) -> T { values.randomElement(using: &generator)! }
    private mutating func chance(_ oneIn: Int) -> Bool { number(oneIn) == 0 }

    private mutating func bound(_ cell: Cell) -> String {
        let name = "p\(parameters.count + 10)"
        parameters[name] = cell
        return ":" + name
    }

    private mutating func literal() -> String {
        let cell: Cell
        switch number(12) {
        case 0...4: cell = .text(pick(RandomQuery.texts))
        case 5...7: cell = .integer(pick(RandomQuery.integers))
        case 8, 9: cell = .real(pick(RandomQuery.reals))
        case 10: cell = .blob(Array(pick(RandomQuery.texts).utf8))
        default: cell = .null
        }
        if chance(3), parameters.count < 50 { return bound(cell) }
        switch cell {
        case .null: return "NULL"
        case .integer(let value): return value == .min ? "(-9223372036854775807-1)" : String(value)
        case .real(let value): return "\(value)"
        case .text(let text) where text.utf8.contains(0): return "CAST(\(hex(Array(text.utf8))) AS TEXT)"
        case .text(let text): return "'\(text)'"
        case .blob(let bytes): return hex(bytes)
        }
    }

    private func hex(_ bytes: [UInt8]) -> String {
        "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }

    // MARK: terms

    private mutating func term(_ item: Item, depth: Int = 0) -> String {
        let own = pick(item.columns)
        switch number(19) {
        case 0...5:
            return "\(own) \(pick(["=", "<", "<=", ">", ">=", "<>", "IS", "IS NOT", "="])) \(literal())"
        case 6: return "\(own) \(pick(["IN", "IN", "NOT IN"])) (\(literal()), \(literal()), \(literal()))"
        case 7: return "\(own) \(chance(4) ? "NOT " : "")BETWEEN \(literal()) AND \(literal())"
        case 8, 9:
            let pattern = pick([
                "'a%'", "'%b%'", "'%'", "''", "'_'", "'M%'", "7", "NULL", "'2026%'", "'%x!_'",
            ])
            return "\(own) \(chance(5) ? "NOT LIKE" : "LIKE") \(pattern)\(chance(5) ? " ESCAPE '!'" : "")"
        case 10: return "\(own) GLOB \(pick(["'a*'", "'*b'", "'[aA]*'", "'?'", "'2026-*'"]))"
        case 11:
            return
                "\(own) COLLATE \(pick(["NOCASE", "BINARY", "RTRIM"])) \(pick(["=", "<", ">="])) \(literal())"
        case 12: return "\(own) \(pick(["IS NULL", "IS NOT NULL", "NOTNULL"]))"
        case 13 where depth < 2:
            return "(\(term(item, depth: depth + 1)) OR \(term(item, depth: depth + 1)))"
        case 14 where depth < 2: return "NOT (\(term(item, depth: depth + 1)))"
        case 15: return "\(own) \(pick(["=", "<", "IS"])) \(pick(item.columns))"
        case 16:
            let other = pick(schema.tables)
            return
                "\(own) \(pick(["IN", "NOT IN"])) (SELECT \(pick(other.columns())) FROM \(other.name) LIMIT \(pick([1, 100])) OFFSET \(pick([0, 100])))"
                .replacing("LIMIT 1 ", with: "ORDER BY \"id\" LIMIT 1 ")
        case 17 where depth < 2:
            let other = pick(schema.tables)
            let inner = Item(
                source: other.name, alias: "e\(depth)", columns: other.columns().map { "e\(depth)." + $0 })
            return
                "\(chance(3) ? "NOT " : "")EXISTS (SELECT 1 FROM \(other.name) \(inner.alias) WHERE \(pick(inner.columns)) \(pick(["=", "<", "IS"])) \(own) AND \(term(inner, depth: depth + 1)))"
        default:
            return pick([
                "upper(\(own)) = 'ABC'", "\(own) + 0 > 3", "length(\(own)) < 3", "typeof(\(own)) = 'text'",
                "(\(own), \(item.id)) < (\(literal()), 5)",
                "CASE WHEN \(own) THEN \(item.id) > 3 ELSE \(own) IS NULL END",
                "coalesce(\(own), \(item.id)) > \(literal())",
            ])
        }
    }

    private mutating func terms(_ items: [Item], most: Int) -> String {
        (0..<number(most + 1)).map { _ in term(pick(items)) }.joined(separator: " AND ")
    }

    private mutating func condition(_ items: [Item]) -> String {
        let text = terms(items, most: 3)
        return text.isEmpty ? "" : " WHERE " + text
    }

    // MARK: FROM

    private var common: [String] = []

    private mutating func item(_ number: Int) -> Item {
        let table = pick(schema.tables)
        let alias = "s\(number)"
        let columns = table.columns()
        let whole = Item(source: table.name, alias: alias, columns: columns.map { "\(alias).\($0)" })
        guard chance(4) else { return whole }
        let inner = Item(source: table.name, alias: "i\(number)", columns: columns.map { "i\(number).\($0)" })
        let kept = Array(Set(columns.shuffled(using: &generator).prefix(3) + ["\"id\""])).sorted()
        var body =
            "SELECT \(kept.map { "i\(number).\($0)" }.joined(separator: ", ")) FROM \(table.name) i\(number)"
            + condition([inner])
        if chance(3) {
            body += " ORDER BY \(pick(inner.columns)), i\(number).\"id\" LIMIT \(pick([1, 3, 10]))"
        }
        let named = kept.map { "\(alias).\($0)" }
        guard chance(2) else { return Item(source: "(\(body))", alias: alias, columns: named) }
        common.append("w\(number) AS (\(body))")
        return Item(source: "w\(number)", alias: alias, columns: named)
    }

    private mutating func from(_ items: [Item]) -> String {
        var text = " FROM \(items[0].source) \(items[0].alias)"
        for (index, item) in items.enumerated().dropFirst() {
            let others = Array(items[..<index])
            let kind = pick([" JOIN ", " LEFT JOIN ", " JOIN ", ", "])
            let link =
                "\(pick(item.columns)) \(pick(["=", "=", "=", "IS", "<", "LIKE"])) \(pick(pick(others).columns))"
            text += "\(kind)\(item.source) \(item.alias)"
            guard kind != ", " else { continue }
            text += " ON \(link)\(chance(3) ? " AND " + term(item) : "")"
        }
        return text
    }

    private mutating func finish(_ body: String) {
        sql = (common.isEmpty ? "" : "WITH \(common.joined(separator: ", ")) ") + body
    }

    private mutating func limit() -> String {
        guard chance(2) else { return "" }
        func count(_ value: Int64, _ self: inout RandomStatement) -> String {
            self.chance(3) ? self.bound(.integer(value)) : String(value)
        }
        var text = " LIMIT " + count(pick([-1, 0, 1, 3, 10, 100]), &self)
        if chance(2) { text += " OFFSET " + count(pick([-1, 0, 1, 5]), &self) }
        return text
    }

    /// Ends in the ids of all items: then the order is total but for rows of nulls alone, which are equal.
    private mutating func order(_ items: [Item]) -> String {
        let terms = (0..<number(3)).map { _ in
            pick(pick(items).columns) + pick(["", "", " DESC", " COLLATE NOCASE", " NULLS LAST", " || ''"])
        }
        return " ORDER BY " + (terms + items.map { $0.id + pick(["", "", " DESC"]) }).joined(separator: ", ")
    }

    // MARK: shapes

    private mutating func plain(items count: Int) {
        let items = (0..<count).map { item($0) }
        let columns = items.flatMap(\.columns).shuffled(using: &generator).prefix(1 + number(4))
        var list = Array(columns) + items.map(\.id)
        if chance(6) {
            let other = pick(schema.tables)
            list.append(
                "(SELECT count(*) FROM \(other.name) q WHERE q.\(pick(other.columns())) = \(pick(items[0].columns)))"
            )
        }
        let body = "SELECT \(list.joined(separator: ", "))\(from(items))\(condition(items))"
        isTotal = !chance(4)
        finish(isTotal ? body + order(items) + limit() : body)
    }

    private mutating func grouped() {
        let items = (0..<(1 + number(2))).map { item($0) }
        let keys = items.flatMap(\.columns).shuffled(using: &generator).prefix(1 + number(2))
        let values = items.flatMap(\.columns)
        var body =
            "SELECT \(keys.joined(separator: ", ")), count(*), count(\(pick(values))), min(\(pick(values))), "
            + "max(\(pick(values))), count(DISTINCT \(pick(values)))\(from(items))\(condition(items))"
            + " GROUP BY \(keys.joined(separator: ", "))"
        if chance(2) {
            body +=
                " HAVING \(pick(["count(*) > 1", "min(\(items[0].id)) < 5", "max(\(pick(values))) IS NOT NULL"]))"
        }
        isTotal = chance(2)
        if isTotal {
            body += " ORDER BY \(keys.map { $0 + pick(["", " DESC"]) }.joined(separator: ", "))" + limit()
        }
        finish(body)
    }

    private mutating func windowed() {
        let items = [item(0)]
        let (key, value, id) = (pick(items[0].columns), pick(items[0].columns), items[0].id)
        let window = pick([
            "row_number() OVER (ORDER BY \(key), \(id))", "rank() OVER (ORDER BY \(key))",
            "dense_rank() OVER (PARTITION BY \(key) ORDER BY \(value) DESC)",
            "lag(\(value)) OVER (PARTITION BY \(key) ORDER BY \(id))",
            "count(*) OVER (PARTITION BY \(key))", "first_value(\(value)) OVER (ORDER BY \(key), \(id))",
            "sum(\(id)) OVER (ORDER BY \(id) ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)",
            "max(\(value)) OVER (PARTITION BY \(key) ORDER BY \(id) ROWS UNBOUNDED PRECEDING)",
        ])
        isTotal = true
        let body = "SELECT \(id), \(window) AS w\(from(items))\(condition(items))"
        finish(
            chance(2)
                ? body + " ORDER BY \(id)" + limit()
                : "SELECT * FROM (\(body)) WHERE w IS NOT \(literal()) ORDER BY 2, 1" + limit())
    }

    private mutating func compound() {
        // Columns of one type on both sides: of two values that are equal and spelt apart, any may be kept.
        let (left, right) = (item(0), item(1))
        finish(
            "SELECT \(left.id)\(from([left]))\(condition([left])) "
                + "\(pick(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"])) SELECT \(right.id)\(from([right]))\(condition([right]))"
                + (chance(2) ? " ORDER BY 1" + limit() : ""))
        isTotal = sql.contains("ORDER BY 1")
    }

    private mutating func distinct() {
        let items = [item(0)]
        let columns = items[0].columns.shuffled(using: &generator).prefix(1 + number(2))
        let list = columns.joined(separator: ", ")
        isTotal = chance(2)
        finish(
            "SELECT DISTINCT \(list)\(from(items))\(condition(items))"
                + (isTotal ? " ORDER BY \(list)" + limit() : ""))
    }

    private mutating func aggregate() {
        let items = (0..<(1 + number(2))).map { item($0) }
        let values = items.flatMap(\.columns)
        let list = (0..<3).map { _ in "\(pick(["min", "max", "count"]))(\(pick(values)))" }
        finish(
            "SELECT \(chance(3) ? list[0] : list.joined(separator: ", ") + ", count(*), sum(\(items[0].id))")"
                + "\(from(items))\(condition(items))")
        isTotal = true
    }
}
