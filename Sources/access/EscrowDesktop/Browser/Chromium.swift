internal import EscrowDatabaseFiles
internal import EscrowDiagnostics
internal import EscrowTableKit
internal import EscrowTabular

/// `History` of Chromium and its kin (Chrome, Brave, Edge, Vivaldi, Opera): times in microseconds since 1601.
enum Chromium {
    /// From 1601-01-01 to 1970-01-01, in microseconds.
    private static let epoch: Int64 = 11_644_473_600_000_000

    /// A time as Chromium stores it; nil for 0, which says that there is none.
    static func time(_ microseconds: Int64?) -> Timestamp? {
        guard let microseconds, microseconds > 0 else { return nil }
        return Timestamp(microseconds: microseconds - epoch)
    }

    /// The visits, in the order in which Chromium wrote them.
    static func visits(
        _ database: DatabaseFile, _ file: FilesTable.File
    ) throws(Diagnostic) -> any RowReader {
        typealias Column = BrowserSpec.Visit
        try database.require("visits", ["id", "url", "visit_time", "transition", "visit_duration"])
        try database.require("urls", ["id", "url", "title", "visit_count"])
        let sql = """
            SELECT v.rowid, u.url, u.title, v.visit_time, v.transition, u.visit_count, v.visit_duration
            FROM visits AS v NOT INDEXED CROSS JOIN urls AS u NOT INDEXED WHERE u.rowid = v.url
            """
        return QueryReader(
            database, file,
            [
                .init(sql: sql) { rows, row in
                    guard let url = rows.text(1), !url.isEmpty else { return false }
                    row.set(Column.url, repairing: url[...])
                    row.set(Column.host, repairing: WebHost.of(url)?[...])
                    row.set(Column.title, repairing: rows.text(2)?[...])
                    row.set(Column.visitDate, time(rows.integer(3)))
                    row.set(Column.transition, rows.integer(4).flatMap(transition))
                    row.set(Column.visitCount, rows.integer(5))
                    let duration = rows.integer(6).flatMap { $0 > 0 ? Double($0) / 1e6 : nil }
                    row.set(Column.duration, duration)
                    row.set(Column.browser, "chromium")
                    row.set(Column.profile, file.folder)
                    return true
                }
            ])
    }

    /// ui::PageTransition: the core type is the lowest byte, and qualifiers above it tell a redirect.
    private static func transition(_ number: Int64) -> String? {
        // PAGE_TRANSITION_IS_REDIRECT_MASK, without the mark of a chain's first visit.
        if number & 0xC000_0000 != 0 { return "redirect" }
        switch number & 0xFF {
        case 0: return "link"
        case 1: return "typed"
        case 2: return "bookmark"
        case 3, 4: return "frame"
        case 5, 9, 10: return "search"
        case 6: return "start"
        case 7: return "form"
        case 8: return "reload"
        default: return nil
        }
    }
}
