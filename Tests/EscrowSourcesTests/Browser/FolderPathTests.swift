import EscrowTabular
import Testing

@testable import EscrowDesktop

@Suite("Folders of bookmarks")
struct FolderPathTests {
    @Test("a path is cut after 4,096 bytes, and no character is divided")
    func limit() {
        let long = [UInt8](repeating: 0x78, count: 10_000)
        #expect(FolderPath.joined([Array("a".utf8), [], Array("b".utf8)]) == Array("a//b".utf8))
        #expect(FolderPath.joined([[UInt8]](repeating: long, count: 100)).count == 4_096)
        let letters = Array(String(repeating: "€", count: 2_000).utf8)
        #expect(FolderPath.joined([letters]).count == 4_095)
        #expect(FolderPath.cut([UInt8](repeating: 0x80, count: 5_000)).count == 4_092)
    }

    @Test("folders beside each other below one with a long name do not each have it")
    func siblings() throws {
        let folder = try Folder()
        let child = #"{"type":"folder","name":"n","children":[{"type":"url","url":"http://a/"}]}"#
        let children = [String](repeating: child, count: 300).joined(separator: ",")
        let name = String(repeating: "x", count: 1_000_000)
        folder.write(
            "Bookmarks",
            #"{"roots":{"bookmark_bar":{"children":[{"type":"folder","name":"\#(name)","children":[\#(children)]}]}}}"#
        )
        let rows = try Table("Bookmarks", .browser, folder.path).rows("folder")
        #expect(rows.count == 300)
        #expect(rows.allSatisfy { $0 == [.text("toolbar/" + name.prefix(4_096 - 8))] })
    }

    @Test("long titles of Firefox's folders are cut, and no folder lies in itself")
    func firefox() throws {
        let folder = try Folder()
        try ProgramDatabase.write(
            folder.path + "/places.sqlite",
            BrowserTests.places
                + """
                db.execute("UPDATE moz_bookmarks SET title = ?, parent = 6 WHERE id = 6", ('x' * 600_000,))
                """)
        let rows = try Table("Bookmarks", .browser, folder.path).rows("folder")
        #expect(rows.last == [.text(String(repeating: "x", count: 4_096))])
    }

    @Test("titles that share their pages end the reading, and are told")
    func sharedTitles() throws {
        let folder = try Folder()
        try ProgramDatabase.write(
            folder.path + "/places.sqlite",
            """
            db.executescript('''CREATE TABLE moz_places(id INTEGER PRIMARY KEY, url TEXT);
            CREATE TABLE moz_bookmarks(id INTEGER PRIMARY KEY, type INT, fk INT, parent INT, position INT, title TEXT,
                dateAdded INT, lastModified INT, guid TEXT)''')
            db.execute("INSERT INTO moz_bookmarks VALUES (1, 2, NULL, 5, 0, ?, 0, 0, 'f')", ('x' * 4_000_000,))
            db.close()
            """ + ProgramDatabase.share("moz_bookmarks", rows: 40))
        let log = ProblemLog()
        #expect(try Table("Bookmarks", .browser, folder.path, log: log).rows().isEmpty)
        #expect(log.reasons.count == 1 && log.reasons[0].hasSuffix("(E0831)"))
    }
}
