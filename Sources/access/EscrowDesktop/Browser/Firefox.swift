internal import EscrowDatabaseFiles
internal import EscrowDiagnostics
internal import EscrowTableKit
internal import EscrowTabular

/// `places.sqlite` of Firefox and its kin: the tables that it has had since version 3, times in microseconds since 1970.
enum Firefox {
    /// The visits, in the order in which Firefox wrote them.
    static func visits(
        _ database: DatabaseFile, _ file: FilesTable.File
    ) throws(Diagnostic) -> any RowReader {
        typealias Column = BrowserSpec.Visit
        try database.require("moz_historyvisits", ["id", "place_id", "visit_date", "visit_type"])
        try database.require("moz_places", ["id", "url", "title", "visit_count"])
        let sql = """
            SELECT v.rowid, p.url, p.title, v.visit_date, v.visit_type, p.visit_count
            FROM moz_historyvisits AS v NOT INDEXED CROSS JOIN moz_places AS p NOT INDEXED
            WHERE p.rowid = v.place_id
            """
        return QueryReader(
            database, file,
            [
                .init(sql: sql) { rows, row in
                    guard let url = rows.text(1), !url.isEmpty else { return false }
                    row.set(Column.url, repairing: url[...])
                    row.set(Column.host, repairing: WebHost.of(url)?[...])
                    row.set(Column.title, repairing: rows.text(2)?[...])
                    row.set(Column.visitDate, rows.integer(3).flatMap { Timestamp(microseconds: $0) })
                    row.set(Column.transition, rows.integer(4).flatMap(transition))
                    row.set(Column.visitCount, rows.integer(5))
                    row.set(Column.browser, "firefox")
                    row.set(Column.profile, file.folder)
                    return true
                }
            ])
    }

    /// nsINavHistoryService's TRANSITION_ numbers.
    private static func transition(_ number: Int64) -> String? {
        switch number {
        case 1: "link"
        case 2: "typed"
        case 3: "bookmark"
        case 4: "embedded"
        case 5, 6: "redirect"
        case 7: "download"
        case 8: "frame"
        case 9: "reload"
        default: nil
        }
    }

    /// The bookmarks, in the order in which they were made.
    static func bookmarks(
        _ database: DatabaseFile, _ file: FilesTable.File
    ) throws(Diagnostic) -> any RowReader {
        typealias Column = BrowserSpec.Bookmark
        let columns = [
            "id", "type", "fk", "parent", "position", "title", "dateAdded", "lastModified", "guid",
        ]
        try database.require("moz_bookmarks", columns)
        try database.require("moz_places", ["id", "url"])
        let folders = try BookmarkFolders(database)
        let sql = """
            SELECT b.rowid, p.url, b.title, b.parent, b.position, b.dateAdded, b.lastModified, b.guid
            FROM moz_bookmarks AS b NOT INDEXED CROSS JOIN moz_places AS p NOT INDEXED
            WHERE b.type = 1 AND p.rowid = b.fk
            """
        return QueryReader(
            database, file,
            [
                .init(sql: sql) { rows, row in
                    guard let url = rows.text(1), !url.isEmpty else { return false }
                    row.set(Column.id, repairing: rows.text(7)?[...])
                    row.set(Column.url, repairing: url[...])
                    row.set(Column.host, repairing: WebHost.of(url)?[...])
                    row.set(Column.title, repairing: rows.text(2)?[...])
                    row.set(Column.folder, repairing: rows.integer(3).flatMap { folders.path($0) }?[...])
                    row.set(Column.position, rows.integer(4))
                    row.set(Column.dateAdded, rows.integer(5).flatMap { Timestamp(microseconds: $0) })
                    row.set(Column.modificationDate, rows.integer(6).flatMap { Timestamp(microseconds: $0) })
                    row.set(Column.browser, "firefox")
                    row.set(Column.profile, file.folder)
                    return true
                }
            ])
    }
}

struct BookmarkFolders {
    /// The most folders that are kept, and the most bytes of their titles; bookmarks in others have no path.
    private static let limit = 100_000
    private static let byteLimit = 16 << 20
    /// The deepest folder that is named.
    private static let depthLimit = 32
    private var folders: [Int64: (parent: Int64, title: [UInt8])] = [:]
    /// What Firefox shows, in any language, for the folders that it makes itself.
    private static let roots = [
        "menu________": "menu", "toolbar_____": "toolbar", "unfiled_____": "other", "mobile______": "mobile",
        "tags________": "tags",
    ]

    init(_ database: DatabaseFile) throws(Diagnostic) {
        let rows = try database.scan(
            "SELECT rowid, parent, title, guid FROM moz_bookmarks NOT INDEXED WHERE type = 2")
        var bytes = 0
        while folders.count < Self.limit, bytes < Self.byteLimit, try rows.next() {
            guard let id = rows.integer(0), let parent = rows.integer(1) else { continue }
            let guid = rows.text(3).map { String(decoding: $0, as: UTF8.self) } ?? ""
            if guid == "root________" { continue }
            // An array of its own: a slice would keep all of a long title.
            let title = Self.roots[guid].map { Array($0.utf8) } ?? Array(FolderPath.cut(rows.text(2) ?? []))
            bytes += title.count
            folders[id] = (parent, title)
        }
    }

    /// The titles from the outermost folder to this one, joined with slashes; nil if it is not known.
    func path(_ id: Int64) -> [UInt8]? {
        var met: [Int64] = []
        var parts: [[UInt8]] = []
        var at = id
        // Folders of a damaged file may lie in each other.
        while let folder = folders[at], parts.count < Self.depthLimit, !met.contains(at) {
            met.append(at)
            parts.append(folder.title)
            at = folder.parent
        }
        return parts.isEmpty ? nil : FolderPath.joined(parts.reversed())
    }
}
