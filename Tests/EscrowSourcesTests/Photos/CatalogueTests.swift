import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowMedia
@testable import EscrowSources
@testable import EscrowTableKit

@Suite("Catalogues of photos", .serialized)
struct CatalogueTests {
    static let shotwell = """
        db.executescript('''
        CREATE TABLE VersionTable (id INTEGER PRIMARY KEY, schema_version INTEGER, app_version TEXT, user_data TEXT NULL);
        CREATE TABLE EventTable (id INTEGER PRIMARY KEY, name TEXT, primary_photo_id INTEGER, time_created INTEGER,
            primary_source_id TEXT);
        CREATE TABLE PhotoTable (id INTEGER PRIMARY KEY, filename TEXT UNIQUE NOT NULL, width INTEGER, height INTEGER,
            filesize INTEGER, timestamp INTEGER, exposure_time INTEGER, orientation INTEGER, original_orientation INTEGER,
            import_id INTEGER, event_id INTEGER, title TEXT);
        CREATE TABLE VideoTable (id INTEGER PRIMARY KEY, filename TEXT UNIQUE NOT NULL, width INTEGER, height INTEGER,
            clip_duration REAL, is_interpretable INTEGER, filesize INTEGER, timestamp INTEGER, exposure_time INTEGER,
            import_id INTEGER, event_id INTEGER, title TEXT);
        INSERT INTO EventTable(id, name) VALUES (3, 'Bergen');
        INSERT INTO PhotoTable(filename, width, height, filesize, timestamp, exposure_time, orientation, event_id) VALUES
            ('/p/Ä b.JPG', 400, 300, 1000, 1772366400, 1772366300, 6, 3), ('/p/raw.png', 1, 2, 3, 1772366400, 0, 99, -1),
            ('/home/ada/.ssh/id_ed25519', 1, 1, 1, 1, 1, 1, 3), ('relative.jpg', 1, 1, 1, 1, 1, 1, 3);
        INSERT INTO VideoTable(filename, width, height, filesize, timestamp, exposure_time, event_id) VALUES
            ('/p/v.mp4', 1920, 1080, 9, 1772366401, 0, -1);
        ''')
        """

    @Test("photos and videos of Shotwell; what is neither never becomes an asset")
    func shotwell() throws {
        let folder = try Folder()
        let path = folder.path + "/photo.db"
        try ProgramDatabase.write(path, Self.shotwell)
        let log = ProblemLog()
        let table = catalogue(path, log: log)
        let rows = try table.rows(
            "filename", "mediaType", "mimeType", "creationDate", "modificationDate", "fileSize",
            "collectionName",
            "pixelWidth", "pixelHeight", "orientation")
        #expect(
            rows == [
                [
                    "Ä b.JPG", 1, "image/jpeg", "2026-03-01T11:58:20.000Z", "2026-03-01T12:00:00.000Z", 1_000,
                    "Bergen", 400, 300, 6,
                ],
                ["raw.png", 1, "image/png", nil, "2026-03-01T12:00:00.000Z", 3, nil, 1, 2, nil],
                ["v.mp4", 2, "video/mp4", nil, "2026-03-01T12:00:01.000Z", 9, nil, 1_920, 1_080, nil],
            ])
        #expect(try table.rows("id", "collectionID").map { $0[1] == nil } == [false, true, true])
        #expect(table.assets.offeredCount == 0)
        #expect(try table.rows("asset").count == 3)
        #expect(table.assets.offeredCount == 3)
        #expect(log.problems.isEmpty)
    }

    @Test(
        "photos of digiKam: places, cameras, albums; roots on disks, hidden photos and paths upwards are left out"
    )
    func digiKam() throws {
        let folder = try Folder()
        let path = folder.path + "/digikam4.db"
        try ProgramDatabase.write(
            path,
            """
            db.executescript('''
            CREATE TABLE AlbumRoots (id INTEGER PRIMARY KEY, label TEXT, status INTEGER NOT NULL, type INTEGER NOT NULL,
                identifier TEXT, specificPath TEXT, caseSensitivity INTEGER, UNIQUE(identifier, specificPath));
            CREATE TABLE Albums (id INTEGER PRIMARY KEY, albumRoot INTEGER NOT NULL, relativePath TEXT NOT NULL, date DATE,
                caption TEXT, collection TEXT, icon INTEGER, modificationDate DATETIME, UNIQUE(albumRoot, relativePath));
            CREATE TABLE Images (id INTEGER PRIMARY KEY, album INTEGER, name TEXT NOT NULL, status INTEGER NOT NULL,
                category INTEGER NOT NULL, modificationDate DATETIME, fileSize INTEGER, uniqueHash TEXT, UNIQUE (album, name));
            CREATE TABLE ImageInformation (imageid INTEGER PRIMARY KEY, rating INTEGER, creationDate DATETIME,
                digitizationDate DATETIME, orientation INTEGER, width INTEGER, height INTEGER, format TEXT);
            CREATE TABLE ImageMetadata (imageid INTEGER PRIMARY KEY, make TEXT, model TEXT, lens TEXT);
            CREATE TABLE ImagePositions (imageid INTEGER PRIMARY KEY, latitude TEXT, latitudeNumber REAL, longitude TEXT,
                longitudeNumber REAL, altitude REAL);
            INSERT INTO AlbumRoots VALUES (1, 'P', 0, 1, 'volumeid:?path=%2Fhome%2Fada%2FMy%20Pictures', '/', 2),
                (2, 'D', 0, 2, 'volumeid:?uuid=1234', '/x', 2);
            INSERT INTO Albums(id, albumRoot, relativePath) VALUES (1, 1, '/'), (2, 1, '/2026/Bergen'), (3, 2, '/'),
                (4, 1, '/../../etc');
            INSERT INTO Images(id, album, name, status, category, modificationDate, fileSize) VALUES
                (1, 2, 'a.jpg', 1, 1, '2026-03-01T12:00:00.000', 10), (2, 1, 'b.jpg', 1, 1, '2026-03-01T12:00:00', 20),
                (3, 3, 'c.jpg', 1, 1, '2026-03-01T12:00:00', 1), (4, 1, 'd.jpg', 3, 1, '2026-03-01T12:00:00', 1),
                (5, 4, 'e.jpg', 1, 1, '2026-03-01T12:00:00', 1), (6, 1, '../f.jpg', 1, 1, '2026-03-01T12:00:00', 1);
            INSERT INTO ImageInformation VALUES (1, 4, '2026-03-01T12:00:00.250', NULL, 1, 40, 30, 'JPG');
            INSERT INTO ImageMetadata VALUES (1, 'Canon', 'EOS', NULL);
            INSERT INTO ImagePositions VALUES (1, '', 60.39, '', 5.32, 12.0), (2, '', 600, '', 5.32, NULL);
            ''')
            """)
        let log = ProblemLog()
        let table = catalogue(path, log: log)
        // In the machine's own zone: the variable TZ is one for all tests that run at once.
        var noon = tm()
        (noon.tm_year, noon.tm_mon, noon.tm_mday, noon.tm_hour, noon.tm_isdst) = (126, 2, 1, 12, -1)
        let taken = try #require(Timestamp(microseconds: Int64(mktime(&noon)) * 1_000_000 + 250_000))
        #expect(
            try table.rows(
                "filename", "creationDate", "collectionName", "pixelWidth", "latitude", "altitude",
                "cameraModel")
                == [
                    ["a.jpg", .text(taken.iso8601), "Bergen", 40, 60.39, 12.0, "EOS"],
                    ["b.jpg", nil, nil, nil, nil, nil, nil],
                ])
        #expect(
            try table.rows("id").first == [.text(StableID.name("/home/ada/My Pictures/2026/Bergen/a.jpg"))])
        #expect(Set(log.reasons) == ["1 album roots on disks known by identifier"])
    }

    @Test("a folder and a catalogue are read one after the other, with ids of their own")
    func both() throws {
        let folder = try Folder()
        try ProgramDatabase.write(folder.path + "/photo.db", Self.shotwell)
        folder.write("pictures/x.gif", "GIF89a")
        mkdir(folder.path + "/a.db", 0o700)
        folder.write("a.db/y.gif", "GIF89a")
        let adapter = SourceAdapters[.photos]!
        let roots = [folder.path + "/photo.db", folder.path + "/pictures", folder.path + "/a.db"]
        let context = SourceContext(adapter, roots: roots) { _, _ in }
        let snapshot = try adapter.tables(context)[0].snapshot(assets: AssetTable())
        func read(_ terms: [Predicate]) throws -> [Int64: Cell] {
            let scan = try snapshot.scan(ScanRequest(columns: ColumnMask([6]), predicates: terms))
            let chunk = ColumnChunk(spec: PhotosSpec.photos)
            var rows: [Int64: Cell] = [:]
            while try scan.next(into: chunk) {
                for row in 0..<chunk.rowCount {
                    #expect(
                        rows.updateValue(chunk.cell(row: row, column: 6), forKey: chunk.rowIDs.integer(row))
                            == nil)
                }
            }
            return rows
        }
        let all = try read([])
        #expect(Set(all.values) == ["x.gif", "y.gif", "Ä b.JPG", "raw.png", "v.mp4"])
        let some = try read([Predicate(column: 2, operation: .equal, values: [2])])
        #expect(some.count == 1 && some.allSatisfy { all[$0.key] == $0.value })
        var registry = try SourceRegistry.load(directory: folder.path)
        try registry.add(kind: "photos", path: roots[0])
        try registry.add(kind: "photos", path: roots[1])
        #expect(registry.check().map(\.rowCount) == [3, 1])
        #expect(throws: Diagnostic(.pathUnlikeKind, "")) {
            try registry.add(kind: "photos", path: folder.write("z.db", "no"))
        }
    }

    private func catalogue(_ path: String, log: ProblemLog) -> Table {
        let adapter = SourceAdapters[.photos]!
        let context = SourceContext(adapter, roots: [path]) { log.add($0, $1) }
        return Table(adapter.tables(context)[0])
    }
}
