import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Testing

@testable import EscrowRelational

@Suite("The lock-down")
struct LockdownTests {
    /// A text that stands for a literal of the query, and for a value of the person's.
    static let canary = "kanarienvogel"

    struct Case: Sendable, CustomTestStringConvertible {
        let sql: String
        let code: Diagnostic.Code
        var says: String = ""
        var testDescription: String { sql }
        init(_ sql: String, _ code: Diagnostic.Code, says: String = "") {
            self.sql = sql
            self.code = code
            self.says = says
        }
    }

    /// Contacts with three granted columns, and all of Visits.
    static func open(
        _ sql: String, budget: AccessBudget = AccessBudget(), engine: Engine = .pushdown
    ) throws -> Access {
        try Access(
            AccessRequest(
                sql: sql,
                granted: ["Contacts": ["id", "givenName", "familyName"], "Visits": ["contactID", "place"]],
                budget: budget, engine: engine),
            tables: [Fixture.contacts(), Fixture.visits(), Fixture.secrets()], assets: AssetTable())
    }

    @Test(
        "lets a SELECT over granted columns pass",
        arguments: [
            "SELECT givenName FROM Contacts LIMIT 1", "SELECT givenName FROM main.Contacts",
            "SELECT count(*) FROM Contacts",
            "SELECT sum(id) FROM Contacts", "SELECT max(givenName) OVER () AS m FROM Contacts",
            "SELECT date('now') AS d",
            "SELECT \(String(repeating: "(", count: 50))1\(String(repeating: ")", count: 50)) AS x",
            "SELECT c.id FROM Contacts c JOIN Visits v ON v.contactID = c.id;  -- done",
            "WITH r AS (SELECT id FROM Contacts) SELECT count(*) AS n FROM r",
            "SELECT 'USING; NATURAL' AS t, \"givenName\" FROM Contacts /* USING */ -- NATURAL",
            "SELECT email FROM (SELECT givenName AS email FROM Contacts) AS o WHERE EXISTS (SELECT * FROM Visits)",
            "SELECT replace(givenName, 'a', 'b') AS t, instr(givenName, 'v') AS i, trim(givenName, 'g') AS s FROM Contacts",
        ], Engine.allCases)
    func passes(_ sql: String, _ engine: Engine) throws {
        #expect(try Self.open(sql, engine: engine).allRows().count >= 1)
    }

    static let refused = [
        // A column that was not granted
        Case("SELECT email FROM Contacts", .notGranted, says: "Contacts.email"),
        Case("SELECT id FROM Contacts WHERE email LIKE '%kanarienvogel'", .notGranted),
        Case("SELECT id FROM Contacts ORDER BY birthday", .notGranted),
        Case("SELECT c.EMAIL FROM Contacts c", .notGranted),
        // A name that would mean an outer column as soon as the inner one is withheld
        Case(
            "SELECT email FROM (SELECT givenName AS email FROM Contacts) AS o "
                + "WHERE email NOT IN (SELECT email FROM Contacts)", .notGranted, says: "Contacts.email"),
        Case(
            "SELECT * FROM (SELECT id AS \"BirthDay\" FROM Contacts) AS o WHERE EXISTS "
                + "(SELECT * FROM Contacts WHERE [birthday] = 1)", .notGranted, says: "Contacts.birthday"),
        Case("SELECT rowid FROM Contacts", .rowNumber), Case("SELECT _rowid_ FROM Contacts", .rowNumber),
        Case("SELECT * FROM Secrets", .notGranted, says: "Secrets"),
        // The schema and SQLite's own tables
        Case("SELECT * FROM sqlite_master", .noSuchTable),
        Case("SELECT count(*) FROM sqlite_schema", .noSuchTable),
        Case("SELECT * FROM pragma_table_info('Contacts')", .noSuchTable),
        Case("SELECT * FROM pragma_database_list", .noSuchTable), Case("SELECT * FROM dbstat", .noSuchTable),
        Case("SELECT * FROM sqlite_stmt", .noSuchTable), Case("SELECT * FROM json_each('[1]')", .noSuchTable),
        Case("SELECT * FROM generate_series(1, 3)", .noSuchTable),
        Case("WITH sqlite_master AS (SELECT 1) SELECT count(*) AS n FROM main.sqlite_master", .noSuchTable),
        // PRAGMA and files
        Case("PRAGMA table_info(Contacts)", .notASelect, says: "PRAGMA"),
        Case("PRAGMA writable_schema=1", .notASelect),
        Case("ATTACH '/etc/passwd' AS x", .notASelect, says: "ATTACH"), Case("DETACH main", .notASelect),
        Case("VACUUM INTO 'x.db'", .notASelect, says: "VACUUM"), Case("VACUUM", .notASelect),
        Case("SELECT readfile('/etc/passwd')", .functionNotAllowed),
        Case("SELECT writefile('x', 'y')", .functionNotAllowed),
        // Functions
        Case("SELECT load_extension('x')", .functionNotAllowed, says: "load_extension"),
        Case("SELECT fts3_tokenizer('simple')", .functionNotAllowed),
        Case("SELECT random()", .functionNotAllowed),
        Case("SELECT randomblob(9)", .functionNotAllowed),
        Case("SELECT zeroblob(2000000000)", .functionNotAllowed, says: "zeroblob"),
        Case("SELECT printf('%.*c', 500000000, 'x')", .functionNotAllowed, says: "printf"),
        Case("SELECT format('%.*c', 500000000, 'x')", .functionNotAllowed),
        Case("SELECT hex(givenName) FROM Contacts", .functionNotAllowed),
        Case("SELECT quote(givenName) FROM Contacts", .functionNotAllowed),
        Case("SELECT char(65)", .functionNotAllowed),
        Case("SELECT sqlite_compileoption_get(0)", .functionNotAllowed),
        Case("SELECT sqlite_version()", .functionNotAllowed),
        Case("SELECT json_extract('{}', '$')", .functionNotAllowed),
        Case("SELECT '{}' ->> '$'", .functionNotAllowed),
        Case("SELECT current_timestamp", .functionNotAllowed),
        Case("SELECT likelihood(1, 0.5)", .functionNotAllowed),
        Case("SELECT unlikely(1)", .functionNotAllowed), Case("SELECT nosuch(1)", .functionNotAllowed),
        // Writes
        Case("INSERT INTO Contacts VALUES(1)", .notASelect),
        Case("REPLACE INTO Contacts VALUES(1)", .notASelect),
        Case("UPDATE Contacts SET id = 1", .notASelect), Case("DELETE FROM Contacts", .notASelect),
        Case("CREATE TEMP TABLE x(a)", .notASelect), Case("CREATE VIEW v AS SELECT 1", .notASelect),
        Case("CREATE VIRTUAL TABLE v USING Contacts", .notASelect), Case("DROP TABLE Contacts", .notASelect),
        Case("WITH x AS (SELECT 1) DELETE FROM Contacts", .moreThanReading),
        Case("WITH x AS (SELECT 1) INSERT INTO Contacts SELECT 1", .moreThanReading),
        // Transactions and maintenance
        Case("BEGIN", .notASelect), Case("ANALYZE", .notASelect), Case("REINDEX", .notASelect),
        Case("EXPLAIN SELECT 1", .notASelect),
        Case("VALUES (1)", .notASelect), Case("", .notASelect), Case("-- nothing", .notASelect),
        Case(";", .notASelect),
        Case("kanarienvogel", .notASelect),
        // Two statements
        Case("SELECT givenName FROM Contacts; DROP TABLE Visits", .secondStatement),
        Case("SELECT 1; SELECT 2", .secondStatement),
        Case("SELECT 1;;/**/;'kanarienvogel'", .secondStatement),
        // Recursion
        Case(
            "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r", .recursiveQuery
        ),
        Case("WITH r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r", .recursiveQuery),
        Case("WITH r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r", .recursiveQuery),
        // USING and NATURAL
        Case(
            """
            SELECT id, email FROM (SELECT 'u'||id||'@example.org' AS email FROM Contacts) JOIN Contacts USING(email)
            """, .naturalOrUsing, says: "USING"),
        Case(
            "SELECT givenName FROM Contacts JOIN (SELECT 'kanarienvogel' AS email) USING(email)",
            .naturalOrUsing),
        Case(
            "SELECT id FROM Contacts NATURAL JOIN (SELECT 'u5@example.org' AS email)", .naturalOrUsing,
            says: "NATURAL"),
        Case("SELECT 1 FROM Contacts FULL JOIN Visits uSiNg/**/(id)", .naturalOrUsing),
        // Depth, length, spelling
        Case("SELECT 1\(String(repeating: "+1", count: 70))", .sqlTooLarge),
        Case("SELECT '\(String(repeating: "x", count: 70_000))'", .sqlTooLarge),
        Case("SELECT \((0..<201).map { "\($0) AS c\($0)" }.joined(separator: ","))", .sqlTooLarge),
        Case(
            "SELECT \((0..<12).map { "SELECT \($0)" }.joined(separator: " UNION ").dropFirst(7))",
            .sqlTooLarge),
        Case("SELECT givenNam FROM Contacts", .noSuchColumn, says: "there is Contacts.givenName"),
        Case("SELECT shoeSize FROM Contacts", .noSuchColumn, says: "Contacts has id, "),
        Case("SELECT id FROM Contacts WHERE givenName = \"kanarienvogel\"", .noSuchColumn),
        Case("SELECT id FROM Contacts WHERE 'kanarienvogel' 'kanarienvogel'", .sqlNotUnderstood),
        Case("SELECT 'kanarienvogel", .sqlNotUnderstood), Case("SELECT FROM", .sqlNotUnderstood),
        Case("SELECT \u{0}", .sqlNotUnderstood),
        Case("SELECT id FROM Nowhere", .noSuchTable, says: "Contacts, Visits"),
        Case("SELECT id FROM Contacts a, Contacts b", .ambiguousColumn),
        Case("SELECT id, id FROM Contacts", .columnsOfOneName),
        Case("SELECT ?1", .parameterForm), Case("SELECT @x", .parameterForm),
        Case("SELECT $x", .parameterForm),
        Case("SELECT :x", .parameterWithoutValue),
    ]

    @Test("refuses", arguments: refused, Engine.allCases)
    func refuses(_ refused: Case, _ engine: Engine) throws {
        let error = try #require(throws: Diagnostic.self) { _ = try Self.open(refused.sql, engine: engine) }
        #expect(error.code == refused.code, "\(error)")
        #expect(error.exitStatus == .accessRefused)
        #expect("\(error)".contains(refused.says), "\(error)")
        #expect(!"\(error)".contains(Self.canary) && !error.message.contains("example.org"), "\(error)")
        #expect(error.help != nil, "\(error)")
    }

    @Test("a star stands for the granted columns", arguments: Engine.allCases)
    func star(_ engine: Engine) throws {
        let access = try Self.open("SELECT * FROM Contacts", engine: engine)
        #expect(access.columns.map(\.name) == ["id", "givenName", "familyName"])
        #expect(try access.allRows().allSatisfy { $0.count == 3 })
    }

    /// What the text's rules refuse first is refused again behind them: each wall holds alone.
    @Test(
        "the second wall holds without the first",
        arguments: [
            "VACUUM INTO 'x.db'", "REINDEX", "ATTACH '/etc/passwd' AS x", "PRAGMA table_info(Contacts)",
            "VACUUM",
            "INSERT INTO Contacts(id) VALUES(1)", "DELETE FROM Contacts", "UPDATE Contacts SET id = 1",
            "BEGIN", "ANALYZE",
            "CREATE TEMP TABLE x(a)", "CREATE VIRTUAL TABLE v USING Contacts", "DROP TABLE Contacts",
            "EXPLAIN SELECT 1",
            "SELECT 1; SELECT 2", "SELECT id FROM Contacts NATURAL JOIN (SELECT 'u5@example.org' AS email)",
            "SELECT givenName FROM Contacts JOIN (SELECT 'x' AS email) USING(email)",
            "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r",
            "SELECT email FROM Contacts", "SELECT count(*) FROM sqlite_master", "PRAGMA writable_schema=1",
        ], [false, true])
    func secondWall(_ sql: String, overNativeTables: Bool) throws {
        // Another statement's rules, which names the table as this one does.
        let session = Session(
            rules: try StatementRules("SELECT 1 FROM Contacts"), governor: Governor(AccessBudget()),
            pushdown: .all,
            assets: AssetTable())
        session.add([Fixture.contacts()], granted: ["Contacts": ["id", "givenName"]])
        var native: Connection.Native?
        if overNativeTables {
            let planned = try Connection("SELECT id, givenName FROM Contacts", session: session)
            native = .image(try Materializer(session: planned.session).image(nil).image)
        }
        if sql.contains("NATURAL") {
            // Without the rules it runs, as a cross join: the column is not there to be joined on.
            let connection = try Connection(sql, session: session, native: native)
            #expect(step(connection.statement)?.count == 100)
            return
        }
        let error = try #require(throws: Diagnostic.self) {
            _ = try Connection(sql, session: session, native: native)
        }
        #expect(error.exitStatus == .accessRefused)
    }

    @Test("a table with no granted column can be counted and no more", arguments: Engine.allCases)
    func rowsOnly(_ engine: Engine) throws {
        func open(_ sql: String) throws -> Access {
            try Access(
                AccessRequest(sql: sql, granted: ["Contacts": []], engine: engine),
                tables: [Fixture.contacts()],
                assets: AssetTable())
        }
        let access = try open("SELECT count(*) AS n FROM Contacts")
        #expect(access.analysis.rowsOnly == ["Contacts"])
        #expect(access.analysis.used.isEmpty)
        #expect(try access.allRows() == [[.integer(100)]])
        #expect(throws: Diagnostic(.rowNumber, "")) {
            _ = try open("SELECT \"nothing granted\" FROM Contacts")
        }
    }

    @Test("parameters are those that the query names")
    func parameters() {
        func open(_ parameters: [String: Cell]) throws -> Access {
            try Access(
                AccessRequest(sql: "SELECT id FROM Contacts WHERE givenName = :g", parameters: parameters),
                tables: [Fixture.contacts()], assets: AssetTable())
        }
        #expect(throws: Diagnostic(.parameterWithoutValue, "")) { _ = try open([:]) }
        #expect(throws: Diagnostic(.valueWithoutParameter, "")) {
            _ = try open(["g": .null, "h": .text(Self.canary)])
        }
    }

    @Test("the analysis tells returned columns from those that only filter")
    func analysis() throws {
        let access = try Self.open(
            "SELECT upper(givenName) AS g, c.id FROM Contacts c JOIN Visits v ON v.contactID = c.id WHERE familyName = 'x'"
        )
        let analysis = access.analysis
        #expect(analysis.returned.map(\.origin) == [nil, ColumnRef(table: "Contacts", column: "id")])
        #expect(
            analysis.used.subtracting(analysis.returned.compactMap(\.origin)).sorted().map(\.description) == [
                "Contacts.familyName", "Contacts.givenName", "Visits.contactID",
            ])
        #expect(analysis.functions == ["upper"])
        #expect(analysis.tables == ["Contacts", "Visits"])
    }
}
