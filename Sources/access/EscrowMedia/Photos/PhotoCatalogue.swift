internal import EscrowDatabaseFiles
internal import EscrowDiagnostics
internal import EscrowFormats
internal import EscrowMediaFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import EscrowTabular

/// The catalogues of photo programs: what they know of a picture, without opening it.
enum PhotoCatalogue {
    static func table(_ context: SourceContext) -> FilesTable {
        FilesTable(
            PhotosSpec.photos, context, bytesPerRow: 600,
            other: { _, file in
                file.onProblem(FileProblem(.noCatalogue()))
                return nil
            },
            database: { database, file throws(Diagnostic) in
                let tables = try database.tables()
                if tables.contains("PhotoTable") { return try Shotwell.photos(database, file) }
                if tables.contains("AlbumRoots") {
                    return try DigiKam.photos(database, file, zone: .machine)
                }
                throw .noCatalogue()
            })
    }

    /// Sets what is known of a file by its path; false if it is none that a photo folder would list. A catalogue may name any
    /// file of the person's, so that only pictures and videos become assets.
    static func set(_ path: [UInt8], _ row: RowBuilder, _ assets: AssetTable) -> Bool {
        typealias Column = PhotosSpec.Column
        guard path.first == UInt8(ascii: "/"), !path.contains(0), TextRepair.isValidUTF8(path[...]) else {
            return false
        }
        let text = String(decoding: path, as: UTF8.self)
        let name = text.split(separator: "/").last.map(String.init) ?? ""
        let candidate = FileCandidate(name: name, folder: "", isRoot: false)
        guard let kind = MediaKind(fileExtension: candidate.ending) else { return false }
        row.set(Column.id, StableID.name(text))
        if row.wants(Column.asset) {
            let handle = assets.offer(
                path: text, mediaType: kind.mimeType, from: CatalogueAssets.shared,
                at: AssetPlace(folder: -1, state: nil))
            row.set(Column.asset, handle)
        }
        row.set(Column.mediaType, kind.mediaType)
        row.set(Column.mimeType, kind.mimeType)
        row.set(Column.filename, name)
        return true
    }
}

extension Diagnostic {
    fileprivate static func noCatalogue() -> Diagnostic {
        Diagnostic(.databaseSchemaUnknown, "the file is no catalogue of Shotwell or digiKam")
    }
}

/// `photo.db` of Shotwell: paths and times in seconds since 1970. An event is a collection.
enum Shotwell {
    private typealias Column = PhotosSpec.Column

    static func photos(
        _ database: DatabaseFile, _ file: FilesTable.File
    ) throws(Diagnostic) -> any RowReader {
        let columns = [
            "filename", "width", "height", "filesize", "timestamp", "exposure_time", "event_id",
        ]
        try database.require("PhotoTable", columns + ["orientation"])
        try database.require("VideoTable", columns)
        try database.require("EventTable", ["id", "name"])
        func query(_ table: String, _ orientation: String) -> QueryReader.Query {
            let sql = """
                SELECT p.rowid, p.filename, p.width, p.height, p.filesize, p.timestamp, p.exposure_time, p.event_id,
                    (SELECT e.name FROM EventTable AS e NOT INDEXED WHERE e.rowid = p.event_id), \(orientation)
                FROM \(table) AS p NOT INDEXED
                """
            return .init(sql: sql) { rows, row in read(rows, row, file) }
        }
        return QueryReader(
            database, file, [query("PhotoTable", "p.orientation"), query("VideoTable", "NULL")])
    }

    private static func read(_ rows: DatabaseRows, _ row: RowBuilder, _ file: FilesTable.File) -> Bool {
        guard let path = rows.text(1), let changed = time(rows.integer(5)), let size = rows.integer(4),
            PhotoCatalogue.set(path, row, file.assets)
        else { return false }
        row.set(Column.pixelWidth, rows.integer(2))
        row.set(Column.pixelHeight, rows.integer(3))
        row.set(Column.fileSize, size)
        row.set(Column.modificationDate, changed)
        // 0 says that the picture does not tell when it was taken.
        row.set(Column.creationDate, rows.integer(6).flatMap { $0 == 0 ? nil : time($0) })
        if let event = rows.integer(7), event > 0 {
            row.set(Column.collectionID, StableID.name(file.path, part: Int(event)))
            row.set(Column.collectionName, repairing: rows.text(8)?[...])
        }
        row.set(Column.orientation, rows.integer(9).flatMap { (1...8).contains($0) ? $0 : nil })
        return true
    }

    private static func time(_ seconds: Int64?) -> Timestamp? {
        guard let seconds, abs(seconds) < 1 << 40 else { return nil }
        return Timestamp(microseconds: seconds * 1_000_000)
    }
}
