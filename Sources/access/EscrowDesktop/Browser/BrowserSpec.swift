internal import EscrowSchema
internal import EscrowTabular

/// The tables that browsers' profiles serve.
enum BrowserSpec {
    /// The positions of the columns of `BrowserHistory`.
    enum Visit: Int, CaseIterable {
        case url, host, title, visitDate, transition, visitCount, duration, browser, profile
    }

    static let history = TableSpec(
        name: "BrowserHistory", sourceKind: "browser",
        summary: "One row is one visit of a web page.",
        columns: [
            ColumnSpec("url", .text, nullable: false, "The page's full address."),
            ColumnSpec(
                "host", .text, "The host in the address, with small letters, for example `www.example.org`."),
            ColumnSpec("title", .text, "The page's title."),
            ColumnSpec("visitDate", .timestamp, "When the visit began."),
            ColumnSpec(
                "transition", .text,
                "How the visit came about: `link`, `typed`, `bookmark`, `embedded`, `frame`, `redirect`, `download`, "
                    + "`reload`, `form`, `search`, `start`; null if the browser does not say."),
            ColumnSpec(
                "visitCount", .integer, "How often the page was visited in all, as the browser counts."),
            ColumnSpec(
                "duration", .real, "How long the page was shown, in seconds, where the browser measures it."),
            ColumnSpec(
                "browser", .text, nullable: false, "`firefox` or `chromium`, which stands for its kin."),
            ColumnSpec("profile", .text, nullable: false, "The name of the profile's folder."),
        ],
        examples: [
            "SELECT visitDate, title, url FROM BrowserHistory ORDER BY visitDate DESC LIMIT 20",
            "SELECT host, count(*) AS visits FROM BrowserHistory WHERE visitDate >= '2026-01-01' GROUP BY host ORDER BY visits DESC LIMIT 10",
        ])

    /// The positions of the columns of `Bookmarks`.
    enum Bookmark: Int, CaseIterable {
        case id, url, host, title, folder, position, dateAdded, modificationDate, browser, profile
    }

    static let bookmarks = TableSpec(
        name: "Bookmarks", sourceKind: "browser",
        summary: "One row is one bookmark of a web page.",
        columns: [
            ColumnSpec("id", .text, "The browser's own name for the bookmark."),
            ColumnSpec("url", .text, nullable: false, "The page's full address."),
            ColumnSpec("host", .text, "The host in the address, with small letters."),
            ColumnSpec("title", .text, "The bookmark's title."),
            ColumnSpec(
                "folder", .text,
                "The folders that it lies in, outermost first, joined with `/`: `toolbar/News`."),
            ColumnSpec("position", .integer, "Its place in its folder, from 0."),
            ColumnSpec("dateAdded", .timestamp, "When it was made."),
            ColumnSpec("modificationDate", .timestamp, "When it was last changed, if the browser says."),
            ColumnSpec(
                "browser", .text, nullable: false, "`firefox` or `chromium`, which stands for its kin."),
            ColumnSpec("profile", .text, nullable: false, "The name of the profile's folder."),
        ],
        examples: [
            "SELECT title, url FROM Bookmarks WHERE folder LIKE 'toolbar%' ORDER BY folder, position",
            "SELECT b.title, count(*) AS visits FROM Bookmarks AS b JOIN BrowserHistory AS h ON h.url = b.url GROUP BY b.url",
        ])
}

enum WebHost {
    /// The host with small letters, without user and port; nil if the address has none.
    static func of(_ url: [UInt8]) -> [UInt8]? {
        let colon = UInt8(ascii: ":")
        guard let mark = url.firstIndex(of: colon), url[mark...].dropFirst().starts(with: "//".utf8) else {
            return nil
        }
        let rest = url[(mark + 3)...]
        let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        var host = rest[..<end]
        if let user = host.lastIndex(of: UInt8(ascii: "@")) { host = host[(user + 1)...] }
        // An IPv6 address stands in brackets and holds colons itself.
        if host.first == UInt8(ascii: "[") {
            host = host.prefix { $0 != UInt8(ascii: "]") }.dropFirst()
        } else if let port = host.lastIndex(of: colon) {
            host = host[..<port]
        }
        guard !host.isEmpty else { return nil }
        return host.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }
    }
}
