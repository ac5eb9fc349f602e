import CSQLite
import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Synchronization
import Testing

@testable import EscrowRelational

@Suite("The connection that waits")
struct SpareConnectionTests {
    private static func access(
        _ sql: String, granted: [String: Set<String>]? = nil, engine: Engine = .pushdown,
        spare: SpareConnection?
    ) throws -> Access {
        try Access(
            AccessRequest(sql: sql, granted: granted, engine: engine),
            tables: [Fixture.contacts(), Fixture.visits(), Fixture.secrets()], assets: AssetTable(),
            spare: spare)
    }

    /// The rows of a query of SQLite's own, as text, on a connection without any authorizer.
    private static func ask(_ sql: String, _ db: OpaquePointer) throws -> [String] {
        var statement: OpaquePointer?
        try #require(sqlite3_prepare_v2(db, sql, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        var rows: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
        }
        return rows
    }

    @Test("is as one that is opened on the spot, whatever ran before it")
    func isNew() throws {
        let spare = SpareConnection()
        spare.refill()
        let before = try Self.access(
            "SELECT givenName, pseudonym(email) AS p FROM Contacts WHERE familyName = 'family3' ORDER BY email",
            spare: spare)
        _ = try? before.next(maxRows: 10, maxBytes: 1 << 20)
        spare.refill()
        let waiting = try spare.take()
        let opened = try Lockdown.open()
        defer {
            sqlite3_close(waiting)
            sqlite3_close(opened)
        }
        #expect(waiting != before.connection.db)
        for db in [waiting, opened] {
            #expect(sqlite3_next_stmt(db, nil) == nil)
            #expect(sqlite3_total_changes64(db) == 0 && sqlite3_changes64(db) == 0)
            #expect(sqlite3_last_insert_rowid(db) == 0)
            #expect(sqlite3_get_autocommit(db) == 1)
            #expect(sqlite3_errcode(db) == SQLITE_OK)
            #expect(try Self.ask("SELECT name FROM sqlite_schema", db).isEmpty)
            #expect(try Self.ask("SELECT name FROM sqlite_temp_schema", db).isEmpty)
        }
        // Neither tables nor functions of the access before are known to it.
        let modules = "SELECT name FROM pragma_module_list ORDER BY 1"
        let functions = "SELECT name || '/' || narg FROM pragma_function_list ORDER BY 1"
        #expect(try Self.ask(modules, waiting) == Self.ask(modules, opened))
        #expect(try Self.ask(functions, waiting) == Self.ask(functions, opened))
        #expect(try !Self.ask(modules, waiting).contains("Contacts"))
        #expect(try !Self.ask(functions, waiting).contains { $0.hasPrefix("pseudonym") })
    }

    @Test("serves one access and no second one", arguments: Engine.allCases)
    func isUsedOnce(_ engine: Engine) throws {
        let spare = SpareConnection()
        var held: [Access] = []
        for number in 0..<6 {
            // With one that waits, and with none.
            if number % 2 == 0 { spare.refill() }
            held.append(try Self.access("SELECT id FROM Contacts", engine: engine, spare: spare))
        }
        #expect(Set(held.map { $0.connection.db }).count == held.count)
        for access in held { #expect(try access.allRows().count == 100) }
    }

    @Test("leaves to each access its own grant", arguments: Engine.allCases)
    func grants(_ engine: Engine) throws {
        let spare = SpareConnection()
        for _ in 0..<3 {
            spare.refill()
            let wide = try Self.access(
                "SELECT id, email FROM Contacts WHERE email IS NOT NULL", engine: engine, spare: spare)
            #expect(try wide.allRows().count == 87)
            spare.refill()
            let narrow: [String: Set<String>] = ["Contacts": ["id"]]
            let star = try Self.access(
                "SELECT * FROM Contacts", granted: narrow, engine: engine, spare: spare)
            #expect(star.columns.map(\.name) == ["id"])
            spare.refill()
            #expect(throws: Diagnostic(.notGranted, "")) {
                _ = try Self.access(
                    "SELECT email FROM Contacts", granted: narrow, engine: engine, spare: spare)
            }
            spare.refill()
            #expect(throws: Diagnostic(.notGranted, "")) {
                _ = try Self.access(
                    "SELECT word FROM Secrets", granted: narrow, engine: engine, spare: spare)
            }
        }
    }

    @Test("gives the same answers and the same plans as without it", arguments: Engine.allCases)
    func agrees(_ engine: Engine) throws {
        let spare = SpareConnection()
        for sql in [
            "SELECT givenName FROM Contacts WHERE familyName = 'family3' ORDER BY email LIMIT 5",
            "SELECT c.id, v.place FROM Contacts c JOIN Visits v ON v.contactID = c.id ORDER BY 1, 2",
            "SELECT count(*) AS n, max(height) AS h FROM Contacts GROUP BY isFavourite",
        ] {
            spare.refill()
            let waited = try Self.access(sql, engine: engine, spare: spare)
            let opened = try Self.access(sql, engine: engine, spare: nil)
            #expect(waited.explanation.queryPlan == opened.explanation.queryPlan)
            #expect(waited.analysis.used == opened.analysis.used)
            #expect(try waited.allRows() == opened.allRows())
        }
    }

    @Test("is handed to one of many threads at a time")
    func threads() async throws {
        let spare = SpareConnection()
        let counts = await withTaskGroup(of: Int.self) { group in
            for number in 0..<64 {
                group.addTask {
                    let sql = "SELECT id FROM Contacts WHERE id < \(number)"
                    if number % 2 == 0 { spare.refill() }
                    return (try? Self.access(sql, spare: spare).allRows().count) ?? -1
                }
            }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(counts.sorted() == Array(0..<64))
    }
}

@Suite("Tables that a statement does not name")
struct UnnamedTableTests {
    private static func session(_ sql: String) throws -> Session {
        let session = Session(
            rules: try StatementRules(sql), governor: Governor(AccessBudget()), pushdown: .all,
            assets: AssetTable())
        session.add([Fixture.contacts(), Fixture.visits(), Fixture.secrets()], granted: nil)
        return session
    }

    @Test("are not made, and the others are however they are spelt")
    func named() throws {
        for (sql, names) in [
            ("SELECT id FROM Contacts", ["Contacts"]), ("SELECT id FROM cOnTaCtS", ["Contacts"]),
            ("SELECT place FROM \"visits\", [SECRETS]", ["Visits", "Secrets"]),
            ("SELECT 1 FROM`Contacts`,main.'Visits'", ["Contacts", "Visits"]), ("SELECT 1", []),
            ("SELECT 'Kontacts' FROM secrets", ["Secrets"]),
        ] {
            let session = try Self.session(sql)
            #expect(session.tables.map(\.spec.name) == names)
            #expect(session.tables.map(\.number) == Array(names.indices))
            #expect(session.allTables.map(\.spec.name) == ["Contacts", "Visits", "Secrets"])
            let connection = try Connection(sql, session: session)
            #expect(withExtendedLifetime(connection) { step(connection.statement) } != nil)
        }
    }

    @Test("cannot be read, be it that the text changed behind the rules")
    func unreachable() throws {
        let session = try Self.session("SELECT id FROM Contacts")
        let error = try #require(throws: Diagnostic.self) {
            _ = try Connection("SELECT word FROM Secrets", session: session)
        }
        #expect(error.code == .noSuchTable)
        #expect(error.help == "the tables are Contacts, Secrets, Visits")
    }

    @Test("are named by messages all the same")
    func messages() throws {
        let session = try Self.session("SELECT word FROM Contacts")
        let error = try #require(throws: Diagnostic.self) {
            _ = try Connection("SELECT word FROM Contacts", session: session)
        }
        #expect(error.code == .noSuchColumn)
        let withheld = try #require(throws: Diagnostic.self) {
            _ = try Access(
                AccessRequest(
                    sql: "SELECT place FROM Contacts", granted: ["Contacts": ["id"], "Visits": ["contactID"]]),
                tables: [Fixture.contacts(), Fixture.visits()], assets: AssetTable())
        }
        #expect(withheld.code == .notGranted)
        #expect(withheld.message == "the column Visits.place is not granted to this access")
    }
}
