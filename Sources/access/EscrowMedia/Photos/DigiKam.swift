internal import EscrowDatabaseFiles
internal import EscrowDiagnostics
internal import EscrowFormats
internal import EscrowMediaFormats
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import EscrowTabular
internal import Glibc

/// `digikam4.db` of digiKam: albums below roots. Times name no zone. An album is a collection.
enum DigiKam {
    private typealias Column = PhotosSpec.Column

    static func photos(
        _ database: DatabaseFile, _ file: FilesTable.File, zone: LocalZone
    ) throws(Diagnostic) -> any RowReader {
        try database.require("Images", ["id", "album", "name", "status", "modificationDate", "fileSize"])
        try database.require("Albums", ["id", "albumRoot", "relativePath"])
        try database.require("AlbumRoots", ["id", "identifier", "specificPath"])
        try database.require(
            "ImageInformation", ["imageid", "creationDate", "orientation", "width", "height"])
        try database.require("ImagePositions", ["imageid", "latitudeNumber", "longitudeNumber", "altitude"])
        try database.require("ImageMetadata", ["imageid", "make", "model"])
        let roots = try roots(database, file)
        // What belongs to a picture has its number as its own row id; status 1 is visible, the others are gone or hidden.
        let sql = """
            SELECT i.rowid, i.name, i.fileSize, i.modificationDate, a.rowid, a.albumRoot, a.relativePath,
                n.creationDate, n.orientation, n.width, n.height, p.latitudeNumber, p.longitudeNumber, p.altitude,
                m.make, m.model
            FROM Images AS i NOT INDEXED CROSS JOIN Albums AS a NOT INDEXED
                LEFT JOIN ImageInformation AS n NOT INDEXED ON n.rowid = i.rowid
                LEFT JOIN ImagePositions AS p NOT INDEXED ON p.rowid = i.rowid
                LEFT JOIN ImageMetadata AS m NOT INDEXED ON m.rowid = i.rowid
            WHERE a.rowid = i.album AND i.status = 1
            """
        return QueryReader(
            database, file, [.init(sql: sql) { rows, row in read(rows, row, file, roots, zone) }])
    }

    private static func read(
        _ rows: DatabaseRows, _ row: RowBuilder, _ file: FilesTable.File, _ roots: [Int64: [UInt8]],
        _ zone: LocalZone
    ) -> Bool {
        guard let name = rows.text(1), !name.contains(UInt8(ascii: "/")), let size = rows.integer(2),
            let changed = time(rows.text(3), zone), let album = rows.integer(4),
            let root = rows.integer(5).flatMap({ roots[$0] }), let folder = rows.text(6),
            !folder.split(separator: UInt8(ascii: "/")).contains(Array("..".utf8)[...])
        else { return false }
        let slash = [UInt8(ascii: "/")]
        let below = folder == slash ? [] : folder
        guard PhotoCatalogue.set(root + below + slash + name, row, file.assets) else { return false }
        row.set(Column.fileSize, size)
        row.set(Column.modificationDate, changed)
        if folder != slash {
            row.set(Column.collectionID, StableID.name(file.path, part: Int(album)))
            row.set(Column.collectionName, repairing: folder.split(separator: UInt8(ascii: "/")).last)
        }
        row.set(Column.creationDate, time(rows.text(7), zone))
        row.set(Column.orientation, rows.integer(8).flatMap { (1...8).contains($0) ? $0 : nil })
        row.set(Column.pixelWidth, rows.integer(9))
        row.set(Column.pixelHeight, rows.integer(10))
        if let latitude = rows.real(11), let longitude = rows.real(12), abs(latitude) <= 90,
            abs(longitude) <= 180
        {
            row.set(Column.latitude, latitude)
            row.set(Column.longitude, longitude)
            row.set(Column.altitude, rows.real(13))
        }
        row.set(Column.cameraMake, repairing: rows.text(14)?[...])
        row.set(Column.cameraModel, repairing: rows.text(15)?[...])
        return true
    }

    /// `2025-11-09T06:33:10.000`, in the zone of the machine.
    private static func time(_ text: [UInt8]?, _ zone: LocalZone) -> Timestamp? {
        guard let text else { return nil }
        let fraction = text.count > 20 ? text[20...] : nil
        return ExifTime.read(text[...], offset: nil, fraction: fraction, zone: zone)
    }

    /// The folders of the roots that are known by their path, by number. A root on a disk is known by the disk's identifier
    /// alone; its photos are left out, and that is told.
    private static func roots(
        _ database: DatabaseFile, _ file: FilesTable.File
    ) throws(Diagnostic) -> [Int64: [UInt8]] {
        let rows = try database.scan("SELECT rowid, identifier, specificPath FROM AlbumRoots NOT INDEXED")
        let prefix = Array("volumeid:?path=".utf8)
        var roots: [Int64: [UInt8]] = [:]
        var left = 0
        while try rows.next() {
            let identifier = rows.text(1) ?? []
            let specific = rows.text(2) ?? []
            guard let id = rows.integer(0), identifier.starts(with: prefix) else {
                left += 1
                continue
            }
            let base = unescaped(Array(identifier.dropFirst(prefix.count)))
            // The kernel takes no longer path.
            guard base.count + specific.count <= Int(PATH_MAX) else { continue }
            roots[id] = specific == [UInt8(ascii: "/")] ? base : base + specific
        }
        if left > 0 {
            file.onProblem(FileProblem("\(left) album roots on disks known by identifier", partial: true))
        }
        return roots
    }

    /// The bytes of a URL's text.
    private static func unescaped(_ text: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count,
                let byte = UInt8(String(decoding: text[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes
    }
}
