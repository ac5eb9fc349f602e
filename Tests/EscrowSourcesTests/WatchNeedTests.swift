import Testing

@testable import EscrowSources

@Suite("Folders to watch, beside those that may be watched") struct WatchNeedTests {
    @Test(
        "the folders of all sources are counted, and their sub-folders; files are none, and what is gone is left out"
    )
    func count() throws {
        let folder = try Folder()
        folder.write("photos/a/b/1.jpg", "x")
        folder.write("photos/c/2.jpg", "x")
        folder.write("documents/note.txt", "x")
        folder.write("cards.vcf", "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:A\r\nEND:VCARD\r\n")
        folder.write("gone/1.mp3", "x")
        folder.write("home/sources.json", "{\"sources\": []}")
        var registry = try SourceRegistry.load(directory: folder.path + "/home")
        #expect(WatchNeed(of: registry).folders == 0)
        for (kind, name) in [
            ("photos", "photos"), ("documents", "documents"), ("contacts", "cards.vcf"), ("music", "gone"),
        ] {
            try registry.add(kind: kind, path: folder.path + "/" + name)
        }
        #expect(WatchNeed(of: registry).folders == 6)
        Folder.remove(folder.path + "/gone")
        #expect(WatchNeed(of: registry).folders == 5)
    }

    @Test("one line tells how many, of how many, and by its code that there are too many")
    func words() throws {
        #expect(
            WatchNeed(folders: 1, limit: 8_192).summary == "1 folder to watch, of 8192 that a user may watch")
        #expect(WatchNeed(folders: 3, limit: nil).summary == "3 folders to watch; this system tells no limit")
        #expect(
            !WatchNeed(folders: 8, limit: 8).isBeyondLimit && WatchNeed(folders: 9, limit: 8).isBeyondLimit)
        #expect(
            WatchNeed(folders: 9, limit: 8).summary
                == "E0854: 9 folders to watch, more than the 8 that a user may watch: every query looks at all files"
        )
        let folder = try Folder()
        #expect(WatchNeed.limit(at: folder.write("limit", "65536\n")) == 65_536)
        #expect(WatchNeed.limit(at: folder.write("limit", "none")) == nil)
        #expect(WatchNeed.limit(at: folder.path + "/none") == nil)
    }
}
