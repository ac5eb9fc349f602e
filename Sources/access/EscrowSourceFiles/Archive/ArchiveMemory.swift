internal import Synchronization

/// What a process remembers of archives' directories between queries: one of a hundred thousand entries takes a second to read
/// and to check.
package final class ArchiveMemory: Sendable {
    /// The most archives, and the most members of all, that are remembered.
    private static let archiveLimit = 64
    private static let memberLimit = 1 << 18

    private struct Known {
        let status: FileStatus
        let members: [ZipArchive.Entry]
    }

    private let known = Mutex<[String: Known]>([:])

    package init() {}

    /// The members that were chosen of an archive in this state; nil if they are not known.
    ///
    /// - Parameter choice: ``FileChoice/listName``.
    package func members(_ choice: String, _ path: String, _ status: FileStatus) -> [ZipArchive.Entry]? {
        known.withLock { known in
            guard let found = known[Self.key(choice, path)], found.status == status else { return nil }
            return found.members
        }
    }

    package func keep(_ members: [ZipArchive.Entry], _ choice: String, _ path: String, _ status: FileStatus) {
        known.withLock { known in
            known[Self.key(choice, path)] = nil
            let count = known.values.reduce(members.count) { $0 + $1.members.count }
            if known.count >= Self.archiveLimit || count > Self.memberLimit { known = [:] }
            guard members.count <= Self.memberLimit else { return }
            known[Self.key(choice, path)] = Known(status: status, members: members)
        }
    }

    private static func key(_ choice: String, _ path: String) -> String { "\(choice)\0\(path)" }
}
