internal import EscrowFiles
internal import EscrowJSON
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import Glibc

/// `Bookmarks` of Chromium and its kin: JSON, folders within folders.
final class ChromiumBookmarks: RowReader {
    private typealias Column = BrowserSpec.Bookmark
    private static let limits = JSONParser.Limits(depth: 200, bytes: 16 << 20, values: 2_000_000)
    private static let roots = [
        ("bookmark_bar", "toolbar"), ("other", "other"), ("synced", "mobile"),
    ]

    /// A folder by its own name: the path above it would be kept once for each of its siblings.
    private struct Folder {
        let name: [UInt8]
        let parent: Int?
    }

    private struct Bookmark {
        /// Its folder's place in ``folders``.
        let folder: Int
        let position: Int64
        let members: [JSONNode.Member]
    }

    private let file: FilesTable.File
    private var folders: [Folder] = []
    private var bookmarks: [Bookmark] = []
    private var next = 0

    init?(_ descriptor: consuming Descriptor, _ file: FilesTable.File) {
        self.file = file
        guard file.size <= Self.limits.bytes else {
            file.onProblem(FileProblem("more than \(Self.limits.bytes >> 20) MiB"))
            return nil
        }
        guard let bytes = descriptor.bytes(at: 0, count: Int(file.size)) else {
            file.onProblem(.unreadable(errno: errno))
            return nil
        }
        do throws(JSONError) {
            let root = try JSONParser.parse(bytes, limits: Self.limits)
            guard case .object(let members) = root.content, let roots = Self.find("roots", members),
                case .object(let found) = roots.content
            else {
                file.onProblem(FileProblem("no bookmarks of Chromium"))
                return nil
            }
            for (name, shown) in Self.roots {
                guard let folder = Self.find(name, found) else { continue }
                collect(folder, named: shown, in: nil)
            }
        } catch {
            file.onProblem(FileProblem("not strict JSON", line: error.position.line))
            return nil
        }
    }

    private static func find(_ name: String, _ members: [JSONNode.Member]) -> JSONNode? {
        members.first { $0.name == name }?.value
    }

    private static func text(_ name: String, _ members: [JSONNode.Member]) -> String? {
        guard case .string(let text)? = find(name, members)?.content else { return nil }
        return text
    }

    /// Takes the bookmarks of a folder in the order of the file. The parser has bounded the depth.
    private func collect(_ node: JSONNode, named name: String, in parent: Int?) {
        guard case .object(let members) = node.content,
            case .array(let children)? = Self.find("children", members)?.content
        else { return }
        let folder = folders.count
        folders.append(Folder(name: Array(name.utf8), parent: parent))
        for (position, child) in children.enumerated() {
            guard case .object(let members) = child.content else { continue }
            if Self.text("type", members) == "url" {
                bookmarks.append(Bookmark(folder: folder, position: Int64(position), members: members))
            } else {
                collect(child, named: Self.text("name", members) ?? "", in: folder)
            }
        }
    }

    /// The names from the outermost folder to this one.
    private func path(_ folder: Int) -> [UInt8] {
        var names: [[UInt8]] = []
        var at: Int? = folder
        while let index = at {
            names.append(folders[index].name)
            at = folders[index].parent
        }
        return FolderPath.joined(names.reversed())
    }

    func next(_ row: RowBuilder) -> Bool {
        while next < bookmarks.count {
            let bookmark = bookmarks[next]
            row.place = Int64(next)
            next += 1
            guard let url = Self.text("url", bookmark.members), !url.isEmpty else { continue }
            let time = { (name: String) in
                Chromium.time(Self.text(name, bookmark.members).flatMap { Int64($0) })
            }
            set(.id, Self.text("guid", bookmark.members), row)
            set(.url, url, row)
            row.set(Column.host, repairing: WebHost.of(Array(url.utf8))?[...])
            set(.title, Self.text("name", bookmark.members), row)
            row.set(Column.folder, repairing: path(bookmark.folder)[...])
            row.set(Column.position, bookmark.position)
            row.set(Column.dateAdded, time("date_added"))
            row.set(Column.modificationDate, time("date_modified"))
            row.set(Column.browser, "chromium")
            row.set(Column.profile, file.folder)
            return true
        }
        return false
    }

    private func set(_ column: Column, _ text: String?, _ row: RowBuilder) {
        row.set(column, repairing: text.map { Array($0.utf8)[...] })
    }
}
