internal import Glibc

enum FolderListing {
    /// Whether a file is not backed up: a lock, the mark of a run or process, a cache (`NAME.cache`), or a leftover of a
    /// cut-off write (`NAME.PID.new`). Never within a plugin's folder.
    static func isTransient(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        if parts.first == "runs" { return true }
        guard parts.count <= 2, let name = parts.last else { return false }
        if isLock(path) || name.hasSuffix(".cache") || name.hasPrefix("holder.") { return true }
        let words = name.split(separator: ".")
        return words.count >= 3 && words.last == "new" && words[words.count - 2].allSatisfy(\.isNumber)
    }

    /// Whether a file is a lock of the host's.
    static func isLock(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        guard parts.count <= 2, let name = parts.last else { return false }
        return name == "lock" || name.hasSuffix(".lock")
    }
}
