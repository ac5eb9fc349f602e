package import EscrowDiagnostics
internal import Glibc
internal import Synchronization

/// The listings of one kind's folders, kept between the queries of a process that stays: of the files only those are looked at
/// again of which the kernel says that they changed.
///
/// inotify(7) does not tell of every change, so each query looks again at files that have other names elsewhere, and at
/// file systems of the network or of other programs. Everything is looked at after something was mounted or unmounted,
/// after events were lost, and where a source's folder was replaced. What is written through mapped memory, or through a
/// name outside the sources, shows only later: so everything is looked at after ``trustedSeconds`` as well.
package final class FolderWatch: Sendable {
    /// How long the kernel's word is taken, in seconds.
    static let trustedSeconds: Int64 = 300

    private struct State {
        var tree: WatchedTree?
        /// The limit of watches was met: from now on every query looks at everything.
        var isOff = false
    }

    private let state = Mutex(State())
    private let onNotice: @Sendable (Diagnostic) -> Void
    private let watchLimit: Int

    /// - Parameter onNotice: told once if folders cannot be watched, E0854.
    /// - Parameter watchLimit: folders that are watched at most; beyond, as beyond the system's own limit, none is.
    package init(watchLimit: Int = .max, onNotice: @escaping @Sendable (Diagnostic) -> Void) {
        self.watchLimit = watchLimit
        self.onNotice = onNotice
    }

    /// Lists sources as ``FolderWalk/list(_:)`` does.
    ///
    /// - Throws: E0808 if a source is gone or cannot be opened.
    package func list(_ walk: FolderWalk, _ roots: [String]) throws(Diagnostic) -> FileListing {
        try state.withLock { (state: inout State) throws(Diagnostic) -> FileListing in
            guard !state.isOff, roots.contains(where: Self.isFolder) else { return try walk.list(roots) }
            let tree = state.tree ?? WatchedTree(roots: roots, watchLimit: watchLimit)
            state.tree = tree
            guard let tree, tree.roots == roots else {
                // There is no queue of events, or the sources have changed.
                state.tree = nil
                return try walk.list(roots)
            }
            let listing = try tree.list(walk)
            if tree.isBeyondLimit {
                state.tree = nil
                state.isOff = true
                onNotice(Self.limitReached())
            }
            return listing
        }
    }

    /// Makes the next query look at everything: something did not fit what was listed.
    package func doubt() { state.withLock { $0.tree?.doubt() } }

    /// Files that were looked at since the watch began, for tests.
    package var looks: Int { state.withLock { $0.tree?.lookCount ?? 0 } }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func limitReached() -> Diagnostic {
        Diagnostic(
            .tooManyFoldersToWatch, "there are more folders than this system lets a user watch",
            notes: ["answers do not depend on it, but every query looks at all files"],
            help: "sysctl fs.inotify.max_user_watches=1048576 raises the limit", severity: .warning)
    }
}
