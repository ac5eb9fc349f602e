import EscrowDatabaseFiles
import EscrowDiagnostics
import Foundation
import Glibc
import Testing

@Suite("Another program's database")
struct DatabaseFileTests {
    private static let table = "db.execute('CREATE TABLE t(k INTEGER PRIMARY KEY, v TEXT)')\n"
    private static func insert(_ values: String...) -> String {
        values.map { "db.execute(\"INSERT INTO t(v) VALUES ('\($0)')\")\n" }.joined()
    }

    @Test("rows of every storage class are read, UTF-16 as UTF-8")
    func values() throws {
        let fixture = try DatabaseFixture()
        try fixture.write(
            """
            db.execute("PRAGMA encoding='UTF-16'")
            db.execute('CREATE TABLE t(k INTEGER PRIMARY KEY, v)')
            for v in ('Müller 🙂', 7, 1.5, b'\\x00\\x01', None, 2.0):
                db.execute('INSERT INTO t(v) VALUES (?)', (v,))
            """)
        let file = try fixture.database()
        #expect(try file.tables() == ["t"])
        #expect(try file.columns(of: "t") == ["k", "v"])
        let rows = try file.scan("SELECT k, v FROM t")
        #expect(try rows.next() && rows.text(1) == Array("Müller 🙂".utf8))
        #expect(try rows.next() && rows.integer(1) == 7 && rows.real(1) == 7 && rows.text(1) == nil)
        #expect(try rows.next() && rows.real(1) == 1.5 && rows.integer(1) == nil)
        #expect(try rows.next() && rows.blob(1) == [0, 1])
        #expect(try rows.next() && rows.text(1) == nil && rows.blob(1) == nil && rows.integer(1) == nil)
        #expect(try rows.next() && rows.integer(1) == 2)
        #expect(try !rows.next())
    }

    @Test(
        "what a running program committed to its log is seen, what it did not is not, and nothing is left beside it"
    )
    func writeAheadLog() throws {
        let fixture = try DatabaseFixture()
        let writer = try fixture.hold(
            "db.execute('PRAGMA journal_mode=WAL')\n" + Self.table + Self.insert("in the file")
                + "db.execute('PRAGMA wal_checkpoint(TRUNCATE)')\ndb.execute('PRAGMA wal_autocheckpoint=0')\n"
                + Self.insert("in the log", "too") + "db.execute('BEGIN')\n" + Self.insert("not yet")
                + "db.execute('PRAGMA cache_size=1')")
        let names = fixture.names
        let before = try fixture.bytes()
        #expect(names == ["a.db", "a.db-shm", "a.db-wal"])
        #expect(try fixture.values() == ["in the file", "in the log", "too"])
        #expect(fixture.names == names)
        #expect(try fixture.bytes() == before)
        try writer.finish()
        // The writer died without a word: its log is still there, and still counts.
        #expect(try fixture.values() == ["in the file", "in the log", "too"])
        unlink(fixture.path + "-shm")
        #expect(try fixture.values() == ["in the file", "in the log", "too"])
        #expect(fixture.names == ["a.db", "a.db-wal"])
    }

    @Test("a log that is cut off or damaged counts as far as it is whole")
    func damagedLog() throws {
        let fixture = try DatabaseFixture()
        let writer = try fixture.hold(
            "db.execute('PRAGMA journal_mode=WAL')\n" + Self.table + Self.insert("a")
                + "db.execute('PRAGMA wal_checkpoint(TRUNCATE)')\n" + Self.insert("b", "c"))
        try writer.finish()
        let log = Array(try Data(contentsOf: URL(filePath: fixture.path + "-wal")))
        for cut in [0, 10, 32, 100, log.count - 1] {
            try Data(log[..<cut]).write(to: URL(filePath: fixture.path + "-wal"))
            let values = try fixture.values()
            #expect(values == (cut == log.count - 1 ? ["a", "b"] : ["a"]), "cut at \(cut)")
        }
        var flipped = log
        flipped[60] ^= 1
        try Data(flipped).write(to: URL(filePath: fixture.path + "-wal"))
        #expect(try fixture.values() == ["a"])
    }

    @Test(
        "a transaction that has written into the file is undone in the copy, while its program holds every lock"
    )
    func rollbackJournal() throws {
        let fixture = try DatabaseFixture()
        try fixture.write(
            Self.table + "db.executemany('INSERT INTO t(v) VALUES (?)', [('old',)] * 600)")
        let before = try fixture.bytes()
        let writer = try fixture.hold(
            """
            db.execute('PRAGMA locking_mode=EXCLUSIVE')
            db.execute('PRAGMA cache_size=1')
            db.execute('BEGIN EXCLUSIVE')
            db.execute("UPDATE t SET v = 'new'")
            """)
        #expect(fixture.names == ["a.db", "a.db-journal"])
        #expect(try fixture.bytes() != before, "the transaction must have reached the file")
        #expect(try Set(fixture.values()) == ["old"])
        #expect(try fixture.values().count == 600)
        try writer.finish()
        #expect(try Set(fixture.values()) == ["old"])
        #expect(fixture.names == ["a.db", "a.db-journal"])
    }

    @Test("a database that lies in its log alone is read")
    func emptyFile() throws {
        let fixture = try DatabaseFixture()
        let writer = try fixture.hold(
            "db.execute('PRAGMA journal_mode=WAL')\ndb.execute('PRAGMA wal_autocheckpoint=0')\n" + Self.table
                + Self.insert("a"))
        #expect(try fixture.values() == ["a"])
        try writer.finish()
    }

    @Test("what is no database, too large or damaged is refused by name")
    func refusals() throws {
        let fixture = try DatabaseFixture()
        for bytes in [[], Array("SQLite format 3\0".utf8), [UInt8](repeating: 7, count: 4_096)] {
            try fixture.replace(bytes)
            #expect(throws: Diagnostic(.notADatabase, "")) { try fixture.database().tables() }
        }
        unlink(fixture.path)
        try fixture.write(Self.table + Self.insert("a"))
        #expect(throws: Diagnostic(.databaseTooLarge, "")) { try fixture.copy(limit: 4_096) }
        #expect(throws: Diagnostic(.databaseSchemaUnknown, "")) { try fixture.database().require("u", ["k"]) }
        #expect(throws: Diagnostic(.databaseSchemaUnknown, "")) {
            try fixture.database().require("t", ["k", "w"])
        }
        try fixture.database().require("t", ["K", "v"])
        var bytes = try fixture.bytes()
        bytes[100] = 99
        try fixture.replace(bytes)
        #expect(throws: Diagnostic(.databaseDamaged, "")) { try fixture.database().tables() }
        #expect(throws: Diagnostic(.databaseUnreadable, "")) {
            try PrivateCopy(of: open(fixture.folder, O_RDONLY | O_CLOEXEC)) { _ in -1 }
        }
    }

    @Test("views, virtual tables, generated columns and functions do not run")
    func code() throws {
        let fixture = try DatabaseFixture()
        try fixture.write(
            """
            db.execute("CREATE TABLE t(k INTEGER PRIMARY KEY, v TEXT, g AS (printf('%.*c', 100, 'x')) STORED)")
            db.execute("INSERT INTO t(v) VALUES ('a')")
            db.execute('CREATE VIEW w AS SELECT * FROM t')
            db.execute('CREATE VIRTUAL TABLE f USING fts5(x)')
            """)
        let file = try fixture.database()
        #expect(try !file.tables().contains { $0 == "w" || $0 == "f" })
        #expect(try file.columns(of: "t") == ["k", "v"])
        #expect(try file.columns(of: "w") == [])
        for sql in [
            "SELECT 1, upper(v) FROM t", "SELECT * FROM w", "ATTACH '/etc/passwd' AS x",
            "INSERT INTO t(v) VALUES ('b')", "DROP TABLE t", "PRAGMA query_only=0",
            "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x FROM r) SELECT x FROM r",
        ] {
            #expect(throws: Diagnostic(.databaseSchemaUnknown, ""), "\(sql)") {
                let rows = try file.scan(sql)
                while try rows.next() {}
            }
        }
    }

    @Test("pages that lead back to others end the scan")
    func loop() throws {
        let fixture = try DatabaseFixture()
        try fixture.write(
            "db.execute('PRAGMA page_size=512')\n" + Self.table
                + "db.executemany('INSERT INTO t(v) VALUES (?)', [('x' * 100,)] * 200)")
        var bytes = try fixture.bytes()
        // The root of t is page 2: an interior page with 12 bytes of header, then the places of its cells, which begin with
        // the number of a child.
        let root = 512
        #expect(bytes[root] == 5)
        let start = root + (Int(bytes[root + 12]) << 8 | Int(bytes[root + 13]))
        let next = root + (Int(bytes[root + 14]) << 8 | Int(bytes[root + 15]))
        bytes.replaceSubrange(next..<next + 4, with: bytes[start..<start + 4])
        try fixture.replace(bytes)
        #expect(throws: Diagnostic(.databaseDamaged, "")) { try fixture.values() }
    }

    @Test("values that share their pages end the scan before they are many times the file")
    func sharedPages() throws {
        let fixture = try DatabaseFixture()
        let script = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        try fixture.write(
            Self.table
                + """
                db.execute("INSERT INTO t(v) VALUES (?)", ('x' * 1_000_000,))
                db.close()
                exec(open('/\(script)/Vectors/sources/shared_pages.py').read())
                share('a.db', 't', 100)
                """)
        let file = try fixture.database()
        #expect(file.size < 2_000_000)
        let rows = try file.scan("SELECT k, v FROM t NOT INDEXED")
        var bytes = 0
        #expect(throws: Diagnostic(.databaseDamaged, "")) {
            while try rows.next() { bytes += rows.text(1)?.count ?? 0 }
        }
        #expect(bytes > 60 << 20 && bytes < 70 << 20)
    }

    @Test("no single damaged byte does more than spoil the file")
    func mutations() throws {
        let fixture = try DatabaseFixture()
        try fixture.write(
            "db.execute('PRAGMA page_size=512')\n" + Self.table
                + "db.executemany('INSERT INTO t(v) VALUES (?)', [('x' * 90,)] * 40)")
        let sound = try fixture.bytes()
        var generator = SplitMix(state: 7)
        var spoilt = 0
        for _ in 0..<1_500 {
            var bytes = sound
            for _ in 0...generator.next() % 3 {
                bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(
                    truncatingIfNeeded: generator.next())
            }
            try fixture.replace(bytes)
            do {
                #expect(try fixture.values().count <= 60)
            } catch let error as Diagnostic {
                #expect(["E0830", "E0831", "E0836"].contains(error.code.rawValue))
                spoilt += 1
            }
        }
        #expect(spoilt > 50)
    }
}

/// Numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
