import EscrowSchema
import EscrowTabular

/// A generator with a seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// A query over the tables `a` and `b`, drawn at random.
struct RandomQuery {
    var sql = ""
    var parameters: [String: Cell] = [:]
    /// The same query without LIMIT, where the order is not total.
    var unlimited: String?
    /// Whether the rows come in one order only.
    var isTotal = false

    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(state: seed)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...3: single()
        case 4: grouped()
        case 5, 6: join()
        case 7: aggregate()
        case 8: compound()
        default: correlated()
        }
        // Terms that were drawn and not chosen leave their values behind.
        let text = sql
        parameters = parameters.filter { text.contains(":\($0.key)") }
    }

    // MARK: the data

    static let texts = [
        "", "a", "A", "b", "B", "abc", "ABC", "abcdefgh", "abcdefgi", "ABCDEFGH", "Müller", "müller",
        "MÜLLER",
        "Straße", "%x_", "a%", "7", "007", "7.0", "10", "9", "1e1", " 7", "0x7", "-0", "a\u{0}b", "a\u{0}c",
        "zz",
    ]
    static let integers: [Int64] = [-1, 0, 1, 7, 10, 9, 9_007_199_254_740_993, .min, .max]
    static let reals = [-1.5, 0, 0.25, 7, 7.5, 10, 1e300, 9_007_199_254_740_992]

    static func source(_ name: String, rows: Int, seed: UInt64) -> SyntheticSource {
        var generator = SeededGenerator(state: seed)
        func maybe(_ cell: Cell) -> Cell { Int.random(in: 0..<8, using: &generator) == 0 ? .null : cell }
        let spec = TableSpec(
            name: name, sourceKind: "synthetic", summary: "random values",
            columns: [
                ColumnSpec("id", .integer, nullable: false, "number"), ColumnSpec("t", .text, "text"),
                ColumnSpec("u", .text, "two texts"), ColumnSpec("k", .integer, "integer"),
                ColumnSpec("r", .real, "float"), ColumnSpec("x", .blob, "bytes"),
            ], examples: [])
        let list = (0..<rows).map { id -> [Cell] in
            let text = texts.randomElement(using: &generator)!
            let other = texts.randomElement(using: &generator)! + texts.randomElement(using: &generator)!
            return [
                .integer(Int64(id)), maybe(.text(text)), maybe(.text(other)),
                maybe(.integer(integers.randomElement(using: &generator)!)),
                maybe(.real(reals.randomElement(using: &generator)!)), maybe(.blob(Array(text.utf8))),
            ]
        }
        return SyntheticSource(spec, rows: list)
    }

    // MARK: terms

    private mutating func pick<T>(_ values: [T]) -> T { values.randomElement(using: &generator)! }
    private mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &generator) == 0 }

    private mutating func literal() -> String {
        let cell: Cell
        switch Int.random(in: 0..<12, using: &generator) {
        case 0...4: cell = .text(pick(Self.texts))
        case 5...7: cell = .integer(pick(Self.integers))
        case 8, 9: cell = .real(pick(Self.reals))
        case 10: cell = .blob(Array(pick(Self.texts).utf8))
        default: cell = .null
        }
        if chance(3), parameters.count < 60 {
            let name = "p\(parameters.count + 10)"
            parameters[name] = cell
            return ":" + name
        }
        switch cell {
        case .null: return "NULL"
        case .integer(let value): return value == .min ? "(-9223372036854775807-1)" : String(value)
        case .real(let value): return "\(value)"
        // SQL text cannot spell a NUL; a blob cast to text can hold one.
        case .text(let text) where text.utf8.contains(0): return "CAST(\(hex(Array(text.utf8))) AS TEXT)"
        case .text(let text):
            return "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
        case .blob(let bytes): return hex(bytes)
        }
    }

    private func hex(_ bytes: [UInt8]) -> String {
        "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }

    private mutating func column(_ table: String) -> String {
        "\(table).\(pick(["id", "t", "u", "k", "r", "t", "u", "x"]))"
    }

    private mutating func pattern() -> String {
        pick([
            "'a%'", "'A%'", "'%b%'", "'%'", "''", "'_'", "'abc'", "'m%'", "'%x!_'", "7", "NULL", "'1%'",
            "'Mü%'",
        ])
    }

    private mutating func term(_ table: String, depth: Int = 0) -> String {
        let own = column(table)
        switch Int.random(in: 0..<20, using: &generator) {
        case 0...7:
            return "\(own) \(pick(["=", "<", "<=", ">", ">=", "<>", "IS", "IS NOT", "="])) \(literal())"
        case 8: return "\(own) \(pick(["IN", "NOT IN"])) (\(literal()), \(literal()), \(literal()))"
        case 9: return "\(own) BETWEEN \(literal()) AND \(literal())"
        case 10, 11:
            return "\(own) \(chance(5) ? "NOT LIKE" : "LIKE") \(pattern())\(chance(4) ? " ESCAPE '!'" : "")"
        case 12: return "\(own) GLOB \(pick(["'a*'", "'*b'", "'[aA]*'", "'?'", "''", "'M*'"]))"
        case 13:
            return
                "\(own) \(pick(["=", "<", ">="])) '\(pick(["a", "ABC", "müller", "b", ""]))' COLLATE NOCASE"
        case 14: return "\(own) COLLATE NOCASE \(pick(["=", "<", ">="])) \(literal())"
        case 15: return "\(own) \(pick(["IS NULL", "IS NOT NULL", "ISNULL"]))"
        case 16 where depth < 2:
            return "(\(term(table, depth: depth + 1)) OR \(term(table, depth: depth + 1)))"
        case 17 where depth < 2: return "NOT (\(term(table, depth: depth + 1)))"
        case 18: return "\(own) = \(column(table))"
        default:
            return pick([
                "upper(\(own)) = 'ABC'", "\(own) + 0 > 3", "\(own) IN (SELECT t FROM b)",
                "\(own) COLLATE NOCASE IN ('a', 'ABC')",
                "(\(own), \(table).id) < (\(literal()), 20)",
            ])
        }
    }

    private mutating func condition(_ table: String) -> String {
        let terms = (0..<Int.random(in: 0...3, using: &generator)).map { _ in term(table) }
        return terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND ")
    }

    private mutating func limit() -> String {
        guard chance(2) else { return "" }
        var text = " LIMIT \(pick(["-1", "0", "1", "3", "10", "100"]))"
        if chance(2) { text += " OFFSET \(pick(["-1", "0", "1", "5", "50"]))" }
        return text
    }

    private mutating func order(_ table: String) -> String {
        let terms = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
            column(table) + pick(["", "", " DESC", " COLLATE NOCASE", " NULLS LAST", " + 0"])
        }
        return " ORDER BY " + (terms + ["\(table).id" + pick(["", " DESC"])]).joined(separator: ", ")
    }

    // MARK: shapes

    private mutating func single() {
        let columns = pick(["*", "id", "t, k", "u, id", "x, r", "r, t, u", "id, upper(t)", "1"])
        let distinct = chance(5) && columns != "*" ? "DISTINCT " : ""
        let body = "SELECT \(distinct)\(columns) FROM a\(condition("a"))"
        if !distinct.isEmpty {
            // The order of distinct rows is that of the projected columns alone, so compare them as a bag.
            sql = body + (chance(2) ? " ORDER BY 1" : "")
        } else if chance(3) {
            sql = body + limit()
            unlimited = body
        } else {
            sql = body + order("a") + limit()
            isTotal = true
        }
    }

    private mutating func grouped() {
        let key = pick(["t", "k", "r", "u", "t COLLATE NOCASE"])
        let having = chance(3) ? " HAVING count(*) > 1" : ""
        sql =
            "SELECT \(key == "t COLLATE NOCASE" ? "lower(min(t))" : key), count(*), min(id), max(k), min(u) FROM a"
            + "\(condition("a")) GROUP BY \(key)\(having)"
        if chance(2) { sql += " ORDER BY \(pick(["1", "2 DESC", "1 DESC"]))" }
    }

    private mutating func join() {
        let on = pick([
            "b.t = a.t", "b.k = a.k", "b.u = a.t", "b.id = a.k", "b.t = a.k", "b.k = a.t", "b.r = a.k",
            "b.k = a.r",
            "b.t LIKE a.t", "b.k < a.k", "b.t > a.t AND b.k = a.k", "b.id = a.id", "b.t = a.t COLLATE NOCASE",
            "b.t IS a.t", "b.x = a.x",
        ])
        let kind = pick(["JOIN", "LEFT JOIN", "JOIN"])
        let extra = chance(2) ? " AND \(term("b"))" : ""
        let body = "SELECT a.id, b.id, \(column("b")) FROM a \(kind) b ON \(on)\(extra)\(condition("a"))"
        if chance(2) {
            sql = body
        } else {
            sql = body + " ORDER BY \(column("a"))\(pick(["", " DESC"])), a.id, b.id" + limit()
            isTotal = true
        }
    }

    private mutating func aggregate() {
        sql =
            "SELECT count(*), count(t), min(t), max(t), min(u), max(k), min(r), max(id) FROM a\(condition("a"))"
        if chance(3) {
            sql = "SELECT \(pick(["min", "max"]))(\(pick(["t", "u", "k", "r"]))) FROM a\(condition("a"))"
        }
    }

    private mutating func compound() {
        let (left, right) = (condition("a"), condition("b"))
        sql =
            "SELECT t, k FROM a\(left) \(pick(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"])) SELECT t, k FROM b\(right)"
    }

    private mutating func correlated() {
        let key = pick(["t", "k", "id", "u"])
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
            sql =
                "SELECT a.id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.\(key) = a.\(key) AND \(term("b")))"
        case 1:
            sql = "SELECT a.id, (SELECT count(*) FROM b WHERE b.\(key) = a.\(key)) FROM a\(condition("a"))"
        default:
            sql =
                "SELECT a.id, (SELECT b.id FROM b WHERE b.\(key) >= a.\(key) ORDER BY b.\(key), b.id LIMIT 1) FROM a"
        }
        sql += " ORDER BY a.id"
        isTotal = true
    }
}
