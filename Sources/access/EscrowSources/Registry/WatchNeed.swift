internal import EscrowSourceFiles
internal import EscrowTableKit
internal import Glibc

/// How many folders a process that stays has to watch for some sources, beside how many it may.
public struct WatchNeed: Sendable, Equatable {
    /// The folders of all sources, sub-folders among them.
    public let folders: Int
    /// `fs.inotify.max_user_watches`: for all processes of a user together. Nil where the system does not tell.
    public let limit: Int?

    /// Describes a need.
    public init(folders: Int, limit: Int?) {
        self.folders = folders
        self.limit = limit
    }

    /// Looks at the folders of sources, at no file in them. What cannot be read is left out.
    public init(of registry: SourceRegistry) {
        var folders = 0
        for adapter in SourceAdapters.all {
            let roots = registry.entries.filter { $0.kind == adapter.kind }.map(\.path)
            var walk = adapter.walk { _, _ in }
            walk.leavesStatus = true
            // One by one: a source that is gone takes nothing from the others.
            for root in roots { folders += (try? walk.list([root]))?.directories.count ?? 0 }
        }
        self.init(folders: folders, limit: Self.limit(at: "/proc/sys/fs/inotify/max_user_watches"))
    }

    /// Whether there are more folders than may be watched: E0854.
    public var isBeyondLimit: Bool { limit.map { folders > $0 } ?? false }

    /// One line for the owner.
    public var summary: String {
        let count = "\(folders) \(folders == 1 ? "folder" : "folders") to watch"
        guard let limit else { return "\(count); this system tells no limit" }
        guard isBeyondLimit else { return "\(count), of \(limit) that a user may watch" }
        return "E0854: \(count), more than the \(limit) that a user may watch: every query looks at all files"
    }

    /// The number in a file of proc(5).
    static func limit(at path: String) -> Int? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 32)
        let count = fread(&text, 1, text.count, file)
        return Int(String(decoding: text[..<count].prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self))
    }
}
