import CSQLite
import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Testing

@testable import EscrowRelational

/// The functions that are ours in place of SQLite's own: the same answers, within bounds.
@Suite("Bounded functions")
struct BoundedFunctionTests {
    /// Two connections: one with SQLite's own functions, one with ours.
    private final class Pair {
        let own: OpaquePointer
        let ours: OpaquePointer
        private let session: Session

        init() throws {
            session = Session(
                rules: try StatementRules("SELECT 1"), governor: Governor(AccessBudget()), pushdown: .all,
                assets: AssetTable())
            own = try Lockdown.open()
            ours = try Lockdown.open()
            try #require(BoundedFunctions.install(on: ours, for: session))
        }

        deinit {
            sqlite3_close(own)
            sqlite3_close(ours)
        }

        /// What an expression over the parameters gives: its bytes as numbers, "NULL", or "error".
        static func answer(_ expression: String, _ values: [[UInt8]?], _ db: OpaquePointer) throws -> String {
            var statement: OpaquePointer?
            let sql = "SELECT \(expression)"
            try #require(sqlite3_prepare_v2(db, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
            defer { sqlite3_finalize(statement) }
            let keep = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            for (index, value) in values.enumerated() {
                guard let value else { continue }
                // With a byte behind: without any there is no pointer, which would mean NULL.
                (value + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer {
                    _ = sqlite3_bind_text(
                        statement, Int32(index + 1), $0.baseAddress!, Int32(value.count), keep)
                }
            }
            guard sqlite3_step(statement) == SQLITE_ROW else { return "error" }
            guard let start = sqlite3_column_blob(statement, 0) else {
                return sqlite3_column_type(statement, 0) == SQLITE_NULL ? "NULL" : "empty"
            }
            let count = Int(sqlite3_column_bytes(statement, 0))
            return "\(Array(UnsafeRawBufferPointer(start: start, count: count)))"
        }
    }

    private static let pieces = [
        "a", "A", "b", "%", "%", "_", "*", "?", "[", "]", "^", "-", "\\", "\u{1}", "é", "É", "k", "\u{212A}",
        "😀",
    ].map { Array($0.utf8) }

    @Test("answer as SQLite's own do, by random texts")
    func agree() throws {
        let pair = try Pair()
        var random = SystemRandomNumberGenerator()
        func text(_ most: Int, broken: Bool = false) -> [UInt8]? {
            guard Int.random(in: 0..<40, using: &random) > 0 else { return nil }
            var bytes = (0..<Int.random(in: 0...most, using: &random)).flatMap { _ in
                Self.pieces.randomElement(using: &random)!
            }
            if broken, let at = bytes.indices.randomElement(using: &random) { bytes.remove(at: at) }
            return bytes
        }
        for round in 0..<20_000 {
            let isBroken = round % 5 == 0
            let (expression, values): (String, [[UInt8]?])
            switch round % 6 {
            case 0:
                (expression, values) = ("?1 LIKE ?2", [text(9, broken: isBroken), text(7, broken: isBroken)])
            case 1:
                (expression, values) = ("?1 GLOB ?2", [text(9, broken: isBroken), text(7, broken: isBroken)])
            case 2, 3: (expression, values) = ("?1 LIKE ?2 ESCAPE ?3", [text(9), text(7), text(1)])
            case 4: (expression, values) = ("trim(?1, ?2)", [text(9), text(4)])
            default:
                let name = Bool.random(using: &random) ? "ltrim" : "rtrim"
                (expression, values) = ("\(name)(?1, ?2)", [text(9), text(4)])
            }
            let (own, ours) = (
                try Pair.answer(expression, values, pair.own), try Pair.answer(expression, values, pair.ours)
            )
            #expect(own == ours, "\(expression) of \(values)")
        }
    }

    @Test(
        "answer as SQLite's own do, for what is no text",
        arguments: [
            "1.5 LIKE '1%'", "12 GLOB '1*'", "x'61' LIKE 'a'", "'a' LIKE x'61'", "NULL LIKE x'61'",
            "x'61' GLOB NULL",
            "'a' LIKE 'a' ESCAPE NULL", "'a' LIKE 'a' ESCAPE ''", "'a' LIKE 'a' ESCAPE 'xy'",
            "'a%' LIKE 'a%%' ESCAPE '%'",
            "'a_b' LIKE 'a__%' ESCAPE '_'", "'ab' LIKE 'a%' ESCAPE '%'", "rtrim(12121, 1)", "trim('', 'a')",
            "trim('aXa', '')", "'a' LIKE '\(String(repeating: "%", count: 129))'",
        ])
    func others(_ expression: String) throws {
        let pair = try Pair()
        #expect(try Pair.answer(expression, [], pair.own) == Pair.answer(expression, [], pair.ours))
    }

    /// A text of 4 000 times as many bytes as are given.
    private static func long(_ bytes: Int) -> String {
        "replace('\(String(repeating: "b", count: 4_000))', 'b', '\(String(repeating: "a", count: bytes))')"
    }

    @Test(
        "refuse what would take long within one instruction",
        arguments: [
            "y || y LIKE '\(String(repeating: "%a", count: 50))%b'",
            "y || y GLOB '\(String(repeating: "*[a-z]", count: 20))*b'",
        ])
    func refuse(_ expression: String) throws {
        let access = try Access(
            AccessRequest(sql: "SELECT \(expression) AS x FROM (SELECT \(Self.long(250)) AS y)"), tables: [],
            assets: AssetTable())
        #expect(throws: Diagnostic(.notComputable, "")) { _ = try access.allRows() }
    }

    /// Too few instructions for SQLite to ask: only the functions can notice that no time is left.
    @Test(
        "look at the clock themselves",
        arguments: [
            "y LIKE '%b%'", "y GLOB '*b*'", "instr(y, 'b')", "length(replace(y, 'b', 'c'))",
            "length(rtrim(y, 'b'))",
        ])
    func clock(_ expression: String) throws {
        let terms = Array(repeating: "(\(expression))", count: 3).joined(separator: " + ")
        let sql = "SELECT \(terms) AS x FROM (SELECT \(Self.long(240)) AS y)"
        func open(_ budget: AccessBudget) throws -> Access {
            try Access(AccessRequest(sql: sql, budget: budget), tables: [], assets: AssetTable())
        }
        #expect(try open(AccessBudget(steps: Int(Governor.stepsPerLook))).allRows().count == 1)
        #expect(throws: Diagnostic(.outOfTime, "")) { _ = try open(AccessBudget(seconds: 0)).allRows() }
    }

    @Test("no value grows beyond what one query may take of the memory that all share")
    func length() throws {
        func rows(_ times: Int) throws -> [[Cell]] {
            let value = Array(repeating: "y", count: times).joined(separator: " || ")
            return try Access(
                AccessRequest(sql: "SELECT length(\(value)) AS x FROM (SELECT \(Self.long(250)) AS y)"),
                tables: [], assets: AssetTable()
            ).allRows()
        }
        #expect(try rows(4) == [[.integer(4_000_000)]])
        #expect(throws: Diagnostic(.valueTooLong, "")) { _ = try rows(5) }
    }

    @Test("trim takes many bytes away at once")
    func trim() throws {
        let set = (0x21...0x7E).filter { $0 != 0x27 }.prefix(63).map { String(UnicodeScalar(UInt8($0))) }
            .joined()
        let rows = try Access(
            AccessRequest(
                sql: "SELECT length(rtrim(y, '\(set)a')) AS x FROM (SELECT \(Self.long(250)) AS y)"),
            tables: [], assets: AssetTable()
        ).allRows()
        #expect(rows == [[.integer(0)]])
    }
}
