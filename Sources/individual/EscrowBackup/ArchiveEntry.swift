/// What an archive of a folder holds, one after the other.
public enum ArchiveEntry: Sendable, Equatable {
    /// A folder, always before what lies in it.
    case folder(path: String)
    /// A file's beginning; its bytes follow.
    case file(path: String, isExecutable: Bool, size: UInt64)
    case bytes([UInt8])
    case end

    static let longestPath = 1_024
    static let mostEntries: UInt32 = 1_000_000
    static let largestFile: UInt64 = 1 << 40

    /// The bytes of an entry's head: kind, length of the path, path; for files whether they are programs, and the size.
    var head: [UInt8] {
        switch self {
        case .folder(let path): [1] + Self.length(path) + Array(path.utf8)
        case .file(let path, let isExecutable, let size):
            [2] + Self.length(path) + Array(path.utf8) + [isExecutable ? 1 : 0]
                + (0..<8).map { UInt8(truncatingIfNeeded: size >> (56 - 8 * $0)) }
        case .bytes(let bytes): bytes
        case .end: [0]
        }
    }

    private static func length(_ path: String) -> [UInt8] {
        [UInt8(truncatingIfNeeded: path.utf8.count >> 8), UInt8(truncatingIfNeeded: path.utf8.count)]
    }

    /// Whether a path names a place within the folder and nothing else: no `..`, no leading or double slash, no control.
    static func isPath(_ path: String) -> Bool {
        guard (1...longestPath).contains(path.utf8.count) else { return false }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count <= 32
            && parts.allSatisfy { part in
                !part.isEmpty && part != "." && part != ".." && part.utf8.count <= 255
                    && part.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            }
    }
}
