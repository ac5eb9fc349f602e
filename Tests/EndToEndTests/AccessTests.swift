import Foundation
import Testing

/// What access() refuses on the command line, with exit 13 and a sentence that says what is allowed.
@Suite struct AccessTests {
    static let escrow = Result { () throws -> Escrow in
        let escrow = try Escrow(trusting: false)
        #expect(try escrow.run("source", "add", "contacts", "samples/contacts.vcf").status == 0)
        #expect(try escrow.run("source", "add", "photos", "samples/photos").status == 0)
        #expect(try escrow.run("source", "add", "location", "samples/tracks").status == 0)
        #expect(try escrow.run("source", "add", "music", "samples/music").status == 0)
        #expect(try escrow.run("source", "add", "recordings", "samples/recordings").status == 0)
        #expect(try escrow.run("source", "add", "calendar", "Tests/Vectors/calendar/year.ics").status == 0)
        for kind in ["mail", "documents"] {
            #expect(try escrow.run("source", "add", kind, "samples/\(kind)").status == 0)
        }
        for (kind, name) in [("health", "apple-health.xml"), ("exposure", "exposure-keys.csv")] {
            #expect(try escrow.run("source", "add", kind, "Tests/Vectors/sources/\(name)").status == 0)
        }
        for (kind, name) in [
            ("browser", "places"), ("sensors", "home-assistant"), ("account-book", "account-book"),
        ] {
            let database = escrow.home.path + "/\(name).sqlite"
            let script =
                "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())"
            let writer = try Process.run(
                URL(filePath: "/usr/bin/python3"),
                arguments: ["-c", script, database, Escrow.root.path + "/Tests/Vectors/sources/\(name).sql"])
            writer.waitUntilExit()
            #expect(writer.terminationStatus == 0)
            #expect(try escrow.run("source", "add", kind, database).status == 0)
        }
        return escrow
    }

    @Test(arguments: [
        "ATTACH '/etc/passwd' AS x", "PRAGMA table_info(Contacts)", "DELETE FROM Contacts",
        "UPDATE Contacts SET givenName = 'x'", "INSERT INTO Contacts(id) VALUES ('x')", "CREATE TABLE t(a)",
        "VACUUM INTO '/tmp/out.db'", "SELECT load_extension('/tmp/x.so')", "SELECT 1; DROP TABLE Contacts",
        "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r",
        "SELECT printf('%.*c', 500000000, 'x')", "SELECT zeroblob(1000000000)", "EXPLAIN SELECT 1",
        "SELECT givenName FROM Contacts JOIN (SELECT 'x' AS phoneNumber) USING (phoneNumber)",
        "SELECT id FROM Contacts NATURAL JOIN (SELECT 'x' AS phoneNumber)", "SELECT * FROM sqlite_master",
        "REINDEX", "BEGIN", "SELECT nosuch FROM Contacts", "SELEC 1", "", "SELECT readfile('/etc/passwd')",
    ])
    func isRefused(sql: String) throws {
        let outcome = try Self.escrow.get().run("access", sql)
        #expect(outcome.status == 13, "\(sql): \(outcome.status) \(outcome.words)")
        #expect(outcome.output.isEmpty, "\(sql)")
        #expect(outcome.words.contains("help: ") || outcome.words.contains("note: "), "\(outcome.words)")
    }

    @Test func everyExampleOfTheSchemaRuns() throws {
        let escrow = try Self.escrow.get()
        let tables = try #require(
            try escrow.run("schema", "--format", "json").json()["tables"] as? [[String: Any]])
        #expect(tables.count >= 6)
        for table in tables {
            let examples = try #require(table["examples"] as? [String])
            #expect(!examples.isEmpty)
            for example in examples {
                let outcome = try escrow.run("access", example, "--format", "json")
                #expect(outcome.status == 0, "\(example): \(outcome.words)")
            }
        }
    }

    @Test func explainSaysWhatReachedTheSource() throws {
        let outcome = try Self.escrow.get().run(
            "access", "SELECT filename FROM Photos WHERE mediaType = 1 ORDER BY fileSize LIMIT 2", "--explain"
        )
        #expect(outcome.status == 0)
        for part in ["Photos", "filename", "mediaType", "fileSize", "rows"] {
            #expect(outcome.output.contains(part), "\(outcome.output)")
        }
    }

    @Test(arguments: [
        "SELECT filename, mediaType FROM Photos WHERE mediaType = 1 ORDER BY fileSize, filename LIMIT 3",
        "SELECT count(*) AS n FROM Contacts WHERE familyName LIKE 'M%' OR givenName IS NULL",
        "SELECT c.givenName, n.phoneNumber FROM Contacts c JOIN ContactPhoneNumbers n ON n.contactID = c.id ORDER BY 1, 2",
    ])
    func everyEngineGivesTheSameRows(sql: String) throws {
        let escrow = try Self.escrow.get()
        let answers = try ["pushdown", "virtual", "materialized"].map { engine in
            let outcome = try escrow.run("access", sql, "--engine", engine)
            #expect(outcome.status == 0, "\(engine): \(outcome.words)")
            return outcome.output
        }
        #expect(Set(answers).count == 1 && !answers[0].isEmpty, "\(answers)")
    }

    @Test func explainTellsTheEngineAndEveryDecision() throws {
        let escrow = try Self.escrow.get()
        func explain(_ engine: String) throws -> String {
            try escrow.run(
                "access", "SELECT id FROM Contacts WHERE familyName = 'x' AND givenName > 'a' LIMIT 2",
                "--explain", "--engine", engine
            ).output
        }
        let pushed = try explain("pushdown")
        #expect(pushed.contains("exactly, SQLite relies on it)"), "\(pushed)")
        #expect(pushed.contains("SQLite checks again: ranges always are)"), "\(pushed)")
        #expect(pushed.contains("limit (as a hint; SQLite counts by itself)"), "\(pushed)")
        let virtual = try explain("virtual")
        #expect(virtual.contains("familyName = (this engine takes nothing over)"), "\(virtual)")
        let copied = try explain("materialized")
        #expect(copied.contains("table      Contacts, as a native copy"), "\(copied)")
    }

    @Test func anUnknownEngineIsRefused() throws {
        let outcome = try Self.escrow.get().run("access", "SELECT 1 AS x", "--engine", "magic")
        #expect(outcome.status == 64, "\(outcome.words)")
        #expect(outcome.words.contains("materialized"), "\(outcome.words)")
    }

    @Test func withoutASourceTheStatusIs18() throws {
        let escrow = try Escrow(trusting: false)
        let outcome = try escrow.run("access", "SELECT id FROM Contacts")
        #expect(outcome.status == 18)
        #expect(outcome.words.contains("escrow source add contacts PATH"))
    }
}
