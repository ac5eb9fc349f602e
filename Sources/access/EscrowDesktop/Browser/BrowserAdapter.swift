internal import EscrowDatabaseFiles
internal import EscrowDiagnostics
internal import EscrowFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

extension SourceKind {
    /// A browser's profile: what was visited, and bookmarks.
    static let browser = SourceKind(word: "browser")
}

/// History and bookmarks of Firefox, Chromium and their kin.
struct BrowserAdapter: SourceAdapter {
    let kind = SourceKind.browser
    let accepts = "a browser's profile folder, or its places.sqlite, History or Bookmarks"
    let nothingFound = "no places.sqlite, no History and no Bookmarks"
    let typicalRows = 50_000
    let specs = [BrowserSpec.history, BrowserSpec.bookmarks]
    var checkedTables: [String] { specs.map(\.name) }

    /// What a file holds is told by its content, not by its name.
    func classify(_ file: FileCandidate) -> UInt8? {
        file.isRoot || ["places.sqlite", "History", "Bookmarks"].contains(file.name) ? 0 : nil
    }

    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? {
        if head.starts(with: KeptFiles.signature) || head.trimmed.first == UInt8(ascii: "{") { return nil }
        return "it is neither an SQLite database nor a file of bookmarks in JSON"
    }

    func tables(_ context: SourceContext) -> [any TableSource] {
        [
            FilesTable(BrowserSpec.history, context, bytesPerRow: 400) { database, file throws(Diagnostic) in
                if try database.tables().contains("moz_places") {
                    return try Firefox.visits(database, file)
                }
                return try Chromium.visits(database, file)
            },
            FilesTable(
                BrowserSpec.bookmarks, context, bytesPerRow: 4_000,
                other: { ChromiumBookmarks($0, $1) },
                database: { database, file throws(Diagnostic) in
                    guard try database.tables().contains("moz_places") else { return nil }
                    return try Firefox.bookmarks(database, file)
                }),
        ]
    }
}
