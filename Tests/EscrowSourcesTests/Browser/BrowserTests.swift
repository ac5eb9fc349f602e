import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Foundation
import Glibc
import Testing

@testable import EscrowDesktop
@testable import EscrowSourceFiles
@testable import EscrowSources

@Suite("Browsers")
struct BrowserTests {
    /// The tables as Firefox 153 makes them, without those that are not read.
    static let places = ProgramDatabase.vector("places.sql")

    static let history = """
        db.executescript('''
        CREATE TABLE meta(key LONGVARCHAR NOT NULL UNIQUE PRIMARY KEY, value LONGVARCHAR);
        CREATE TABLE urls(id INTEGER PRIMARY KEY AUTOINCREMENT, url LONGVARCHAR, title LONGVARCHAR,
            visit_count INTEGER DEFAULT 0 NOT NULL, typed_count INTEGER DEFAULT 0 NOT NULL, last_visit_time INTEGER NOT NULL,
            hidden INTEGER DEFAULT 0 NOT NULL);
        CREATE TABLE visits(id INTEGER PRIMARY KEY AUTOINCREMENT, url INTEGER NOT NULL, visit_time INTEGER NOT NULL,
            from_visit INTEGER, transition INTEGER DEFAULT 0 NOT NULL, segment_id INTEGER,
            visit_duration INTEGER DEFAULT 0 NOT NULL);
        INSERT INTO urls VALUES (1, 'https://example.org/', 'Example', 3, 1, 13416840000000000, 0);
        INSERT INTO visits VALUES (1, 1, 13416840000000000, 0, 805306369, 0, 2500000), (2, 1, 0, 0, -1610612736, 0, 0);
        ''')
        """

    @Test(
        "visits and bookmarks of Firefox: addresses, times, folders that lie in each other, rows that lead nowhere"
    )
    func firefox() throws {
        let folder = try Folder()
        mkdir(folder.path + "/p.default", 0o700)
        try ProgramDatabase.write(folder.path + "/p.default/places.sqlite", Self.places)
        let log = ProblemLog()
        let visits = Table("BrowserHistory", .browser, folder.path, log: log)
        #expect(
            try visits.rows() == [
                [
                    "https://user:pw@WWW.Example.org:8443/a?b#c", "www.example.org", "Grüße",
                    "2026-03-01T12:00:00.123Z", "typed", 2, nil, "firefox", "p.default",
                ],
                [
                    "about:blank", nil, nil, "2026-03-01T12:00:01.000Z", "link", 1, nil, "firefox",
                    "p.default",
                ],
                [
                    "https://user:pw@WWW.Example.org:8443/a?b#c", "www.example.org", "Grüße", nil, nil, 2,
                    nil, "firefox", "p.default",
                ],
            ])
        #expect(try visits.ids() == [0, 1, 2])
        let term = Predicate(column: visits.column("transition"), operation: .equal, values: ["link"])
        #expect(try visits.ids(where: [term]) == [1])
        let bookmarks = Table("Bookmarks", .browser, folder.path, log: log)
        let rows = try bookmarks.rows()
        #expect(
            rows[0] == [
                "def", "https://user:pw@WWW.Example.org:8443/a?b#c", "www.example.org", "Example",
                "toolbar/News", 0, "2026-03-01T12:00:00.000Z", "2026-03-01T12:00:01.000Z", "firefox",
                "p.default",
            ])
        // Two folders that lie in each other.
        #expect(rows.count == 2 && rows[1][2] == "::1" && rows[1][4] == "B/A")
        #expect(log.problems.isEmpty)
    }

    @Test("visits of Chromium, whose years begin in 1601, and its bookmarks")
    func chromium() throws {
        let folder = try Folder()
        mkdir(folder.path + "/Default", 0o700)
        try ProgramDatabase.write(folder.path + "/Default/History", Self.history)
        folder.write(
            "Default/Bookmarks",
            #"""
            {"checksum":"x","roots":{"bookmark_bar":{"children":[
              {"type":"folder","name":"News","children":[
                {"type":"url","url":"https://example.org/","name":"Example","guid":"g-1","date_added":"13416840000000000",
                 "date_last_used":"0","id":"5"}]},
              {"type":"url","name":"no address"}],
             "name":"Bookmarks bar","type":"folder"},
             "other":{"children":[{"type":"url","url":"http://a/","name":"","guid":"g-2","date_added":"x"}]}},"version":1}
            """#)
        let log = ProblemLog()
        #expect(
            try Table("BrowserHistory", .browser, folder.path, log: log).rows() == [
                [
                    "https://example.org/", "example.org", "Example", "2026-03-01T12:00:00.000Z", "typed", 3,
                    2.5, "chromium", "Default",
                ],
                [
                    "https://example.org/", "example.org", "Example", nil, "redirect", 3, nil, "chromium",
                    "Default",
                ],
            ])
        #expect(
            try Table("Bookmarks", .browser, folder.path, log: log).rows() == [
                [
                    "g-1", "https://example.org/", "example.org", "Example", "toolbar/News", 0,
                    "2026-03-01T12:00:00.000Z", nil, "chromium", "Default",
                ],
                ["g-2", "http://a/", "a", nil, "other", 0, nil, nil, "chromium", "Default"],
            ])
        #expect(log.problems.isEmpty)
    }

    @Test(
        "the browser may run: what it committed a moment ago is there, in every scan of a statement the same")
    func running() throws {
        let folder = try Folder()
        let path = folder.path + "/places.sqlite"
        let browser = try ProgramWriter(
            path,
            "db.execute('PRAGMA journal_mode=WAL')\n" + Self.places
                + """
                db.execute('PRAGMA wal_checkpoint(TRUNCATE)')
                db.execute("INSERT INTO moz_historyvisits VALUES (8, 0, 3, 1772366402000000, 3, 0, 0, 0)")
                """, holds: true)
        let table = Table("BrowserHistory", .browser, folder.path)
        #expect(try table.rows("title", "transition").last == ["Six", "bookmark"])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["places.sqlite", "places.sqlite-shm", "places.sqlite-wal"])
        let snapshot = try table.source.snapshot(assets: AssetTable())
        func count() throws -> Int {
            let scan = try snapshot.scan(ScanRequest(columns: ColumnMask([0])))
            let chunk = ColumnChunk(spec: table.source.spec)
            return try scan.next(into: chunk) ? chunk.rowCount : 0
        }
        #expect(try count() == 4)
        let other = try ProgramWriter(path, "db.execute('DELETE FROM moz_historyvisits')", holds: true)
        #expect(try count() == 4)
        #expect(try table.rows().isEmpty)
        try other.finish()
        try browser.finish()
    }

    @Test("a browser that holds every lock keeps nobody out")
    func locked() throws {
        let folder = try Folder()
        let path = folder.path + "/History"
        let browser = try ProgramWriter(
            path,
            Self.history + "\ndb.execute('PRAGMA locking_mode=EXCLUSIVE')\ndb.execute('BEGIN EXCLUSIVE')\n"
                + "db.execute('DELETE FROM visits')", holds: true)
        #expect(try Table("BrowserHistory", .browser, path).rows("url").count == 2)
        try browser.finish()
    }

    @Test("damaged, foreign and outdated files are told by name, and the rest is served")
    func problems() throws {
        let folder = try Folder()
        for name in ["a", "b", "c", "d", "e"] { mkdir(folder.path + "/" + name, 0o700) }
        try ProgramDatabase.write(folder.path + "/a/places.sqlite", Self.places)
        try ProgramDatabase.write(
            folder.path + "/b/places.sqlite",
            "db.executescript('CREATE TABLE moz_places(id INTEGER PRIMARY KEY, url TEXT); CREATE TABLE moz_historyvisits(id INTEGER PRIMARY KEY)')"
        )
        try ProgramDatabase.write(folder.path + "/c/History", "db.execute('CREATE TABLE t(x)')")
        folder.write("d/Bookmarks", "{\"roots\": secret")
        folder.write("e/places.sqlite", Array("SQLite format 3\0".utf8) + [UInt8](repeating: 9, count: 600))
        let log = ProblemLog()
        #expect(try Table("BrowserHistory", .browser, folder.path, log: log).rows("url").count == 3)
        #expect(
            log.problems.map { String($0.path.dropFirst(folder.path.count)) }
                == ["/b/places.sqlite", "/c/History", "/e/places.sqlite"])
        #expect(
            log.reasons.prefix(2) == [
                "the database has a schema that is not known: its table moz_historyvisits has no column place_id (E0836)",
                "the database has a schema that is not known: it has no table visits (E0836)",
            ])
        let other = ProblemLog()
        #expect(try Table("Bookmarks", .browser, folder.path, log: other).rows("url").count == 2)
        #expect(other.reasons.contains("line 1: not strict JSON"))
        #expect(!other.reasons.contains { $0.contains("secret") })
        var registry = try SourceRegistry.load(directory: folder.path)
        try registry.add(kind: "browser", path: folder.path)
        let report = registry.check()[0]
        #expect(report.files.map(\.rowCount) == [5, 0, 0, 0, 0])
        #expect(report.files.map(\.problemCount) == [0, 2, 1, 1, 1])
        #expect(throws: Diagnostic(.pathUnlikeKind, "")) {
            try registry.add(kind: "browser", path: folder.write("x.txt", "no"))
        }
    }

    @Test("a real Firefox's history is read")
    func realFirefox() throws {
        let folder = try Folder()
        let profile = folder.path + "/profile"
        mkdir(profile, 0o700)
        guard
            let page = try visit(
                "firefox-esr",
                [
                    "--headless", "--no-remote", "--profile", profile, "--screenshot",
                    folder.path + "/shot.png",
                ],
                folder)
        else { return }
        let log = ProblemLog()
        let rows = try Table("BrowserHistory", .browser, profile, log: log).rows("url", "browser")
        #expect(rows.contains([.text(page), "firefox"]))
        _ = try Table("Bookmarks", .browser, profile, log: log).rows()
        // The profile's lock is a link.
        #expect(log.reasons.allSatisfy { $0 == FileProblem.symbolicLink.sentence })
    }

    /// Debian's `chromium` is too large to be installed for one test: where it is there anyway, it is asked.
    @Test("a real Chromium's history is read, as Python's sqlite3 finds it")
    func realChromium() throws {
        let folder = try Folder()
        let profile = folder.path + "/profile"
        mkdir(profile, 0o700)
        guard
            let page = try visit(
                "chromium",
                [
                    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                    "--user-data-dir=" + profile,
                    "--screenshot=\(folder.path)/shot.png",
                ], folder)
        else { return }
        let log = ProblemLog()
        let rows = try Table("BrowserHistory", .browser, profile, log: log).rows(
            "url", "title", "visitCount", "transition", "browser", "profile", "visitDate")
        #expect(
            rows.map { $0.dropLast() } == [
                [.text(page), "Escrow test page", 1, "typed", "chromium", "Default"]
            ])
        let seconds = try #require(
            run(
                "python3 -c 'import sqlite3; print(sqlite3.connect(\"\(profile)/Default/History\").execute("
                    + "\"SELECT visit_time / 1000000 - 11644473600 FROM visits\").fetchone()[0])'"))
        let moment = try #require(Int64(seconds.split(separator: "\n").first ?? ""))
        guard case .text(let date) = rows.first?.last else {
            Issue.record("the visit has no date")
            return
        }
        #expect(date.prefix(19) == Timestamp(microseconds: moment * 1_000_000)?.iso8601.prefix(19))
        _ = try Table("Bookmarks", .browser, profile, log: log).rows()
        #expect(log.reasons.allSatisfy { $0 == FileProblem.symbolicLink.sentence })
    }

    /// Lets a browser show a page; its address, or nil, after a word, where that browser is not installed.
    private func visit(_ browser: String, _ words: [String], _ folder: Folder) throws -> String? {
        guard access("/usr/bin/\(browser)", X_OK) == 0 else {
            print("SKIP: \(browser) is not installed")
            return nil
        }
        let page = "file://" + folder.write("page.html", "<title>Escrow test page</title>")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = ["--kill-after=10", "300", browser] + words + [page]
        process.environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        // 124: it took too long. Whatever ails a browser here, there is no history of its own to be read.
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            print("SKIP: \(browser) ended with status \(process.terminationStatus)")
            return nil
        }
        return page
    }
}
