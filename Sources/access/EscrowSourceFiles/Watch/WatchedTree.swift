internal import EscrowDiagnostics
internal import EscrowFiles
internal import EscrowTabular
internal import Glibc
internal import Synchronization

/// The kept listings of all folders of some sources. For one thread at a time.
final class WatchedTree: @unchecked Sendable {
    let roots: [String]
    /// Whether there were more folders than could be watched; the tree is of no use then.
    private(set) var isBeyondLimit = false
    /// Files that were looked at.
    private(set) var lookCount = 0

    private static let stateCount = Atomic<UInt64>(0)

    private let queue: InotifyQueue
    private var mounts = MountTable()
    private let watchLimit: Int
    /// The folders of sources, by the sources' positions.
    private var tops: [Int: WatchedFolder] = [:]
    /// Folders by the numbers of their watches. A folder that is mounted at two places has one number.
    private var watched: [Int32: [WatchedFolder]] = [:]
    /// Folders without events.
    private var unwatched: [ObjectIdentifier: WatchedFolder] = [:]
    /// Folders with files that have other names elsewhere.
    private var shared: [ObjectIdentifier: WatchedFolder] = [:]
    /// Whether what is looked at now is news, and not the first reading of all.
    private var isUpdating = false
    /// The i-nodes of files with other names among the news.
    private var linked: Set<UInt64> = []
    private var begun: Int64 = 0
    private var isDoubted = false
    /// The listing that was made last, and what it told, as long as nothing changed.
    private var last: (listing: FileListing, problems: [(String, FileProblem)])?

    /// Nil if the system has no queue of events left.
    init?(roots: [String], watchLimit: Int) {
        guard let queue = InotifyQueue() else { return nil }
        self.queue = queue
        self.roots = roots
        self.watchLimit = watchLimit
    }

    func doubt() { isDoubted = true }

    /// Lists the sources as a walk would.
    func list(_ walk: FolderWalk) throws(Diagnostic) -> FileListing {
        // The time first, then the events: later changes show in the next reading.
        let now = Timestamp.currentTime.microseconds
        let changes = queue.take()
        let isOld = now < begun || now - begun > FolderWatch.trustedSeconds * 1_000_000
        if mounts.hasChanged() || changes.isCut || isDoubted || isOld {
            forgetAll()
            begun = now
        } else {
            update(changes, walk)
            if isDoubted { forgetAll() }
        }
        isDoubted = false
        var listing = FileListing(roots: roots)
        listing.begun = now
        listing.state = Self.stateCount.add(1, ordering: .relaxed).newValue
        var problems: [(String, FileProblem)] = []
        var isLast = last != nil
        // A source may be another folder by now: a link to it was turned, or a folder above it renamed.
        for (index, root) in roots.enumerated() {
            var status = stat()
            guard stat(root, &status) == 0 else { throw .sourceUnreadable(root, errno: errno) }
            guard status.st_mode & S_IFMT == S_IFDIR else {
                isLast = false
                if let top = tops.removeValue(forKey: index) { forget(top) }
                continue
            }
            if let top = tops[index], top.identity == FileIdentity(status) { continue }
            isLast = false
            if let top = tops.removeValue(forKey: index) { forget(top) }
            guard let opened = Descriptor.openingRoot(root),
                let identity = FileIdentity(descriptor: opened.raw)
            else { throw .sourceUnreadable(root, errno: errno) }
            let top = WatchedFolder(path: root, name: "", depth: 0, parent: nil, identity: identity)
            tops[index] = top
            load(top, opened, walk)
        }
        if isLast, let last {
            for (path, problem) in last.problems { walk.onProblem(path, problem) }
            var same = last.listing
            same.begun = now
            return same
        }
        for (index, root) in roots.enumerated() {
            if let top = tops[index] {
                _ = top.append(to: &listing, root: index, parent: nil) { problems.append(($0, $1)) }
            } else {
                try walk.add(root, index, to: &listing)
            }
        }
        for (path, problem) in problems { walk.onProblem(path, problem) }
        last = tops.count == roots.count ? (listing, problems) : nil
        return listing
    }

    private func update(_ changes: InotifyQueue.Changes, _ walk: FolderWalk) {
        isUpdating = true
        // Parents first: a folder that is gone takes its own events with it.
        let named = changes.names.flatMap { number, names in (watched[number] ?? []).map { ($0, names) } }
        for (folder, names) in named.sorted(by: { $0.0.depth < $1.0.depth }) where isRegistered(folder) {
            refresh(folder, dirty: names, walk)
        }
        let whole = changes.folders.flatMap { watched[$0] ?? [] } + unwatched.values
        for folder in whole.sorted(by: { $0.depth < $1.depth }) where isRegistered(folder) {
            refresh(folder, dirty: nil, walk)
        }
        isUpdating = false
        for top in tops.values { refreshLinked(top, walk) }
        linked = []
        for folder in Array(shared.values) where isRegistered(folder) {
            refresh(folder, dirty: folder.namesElsewhere, walk)
        }
    }

    /// Looks again at the files of a folder, and of those in it, that got another name: where the first one lies, no event tells.
    private func refreshLinked(_ folder: WatchedFolder, _ walk: FolderWalk) {
        guard !linked.isEmpty else { return }
        let names = folder.names(of: linked)
        if !names.isEmpty { refresh(folder, dirty: names, walk) }
        for child in folder.children { refreshLinked(child, walk) }
    }

    private func isRegistered(_ folder: WatchedFolder) -> Bool {
        folder.watch != nil || unwatched[ObjectIdentifier(folder)] != nil
    }

    /// Looks at a folder again.
    private func refresh(_ folder: WatchedFolder, dirty: Set<[UInt8]>?, _ walk: FolderWalk) {
        last = nil
        guard let descriptor = folder.open() else {
            // It was replaced, or is gone. Its parent has an event then; if not, everything is looked at.
            isDoubted = true
            return
        }
        if dirty == nil, folder.watch != nil {
            // The watch may be gone, as after an unmount; to watch again does no harm.
            unregister(folder)
            register(folder, descriptor)
        }
        relist(folder, descriptor, dirty: dirty, walk)
    }

    /// Reads a folder for the first time, and all that it holds.
    private func load(_ folder: WatchedFolder, _ descriptor: borrowing Descriptor, _ walk: FolderWalk) {
        // The watch before the names: what comes in between is a name, an event or both.
        register(folder, descriptor)
        relist(folder, descriptor, dirty: nil, walk)
    }

    private func relist(
        _ folder: WatchedFolder, _ descriptor: borrowing Descriptor, dirty: Set<[UInt8]>?, _ walk: FolderWalk
    ) {
        var dirty = dirty
        if folder.isHidden, !walk.readsHidden {
            // It stays watched: what makes it one to be looked into may come later.
            let wasLeftOut = folder.isLeftOut
            folder.isLeftOut = !walk.holdsMarker(descriptor)
            guard !folder.isLeftOut else {
                for child in folder.empty() { forget(child) }
                shared[ObjectIdentifier(folder)] = nil
                return
            }
            if wasLeftOut { dirty = nil }
        }
        let parts = folder.path.split(separator: "/")
        let dropped = folder.relist(descriptor, dirty: dirty, readsHidden: walk.listsHidden) {
            item, entries, above in
            look(item, entries, above, in: folder, named: String(parts.last ?? ""), walk)
        }
        for child in dropped { forget(child) }
        shared[ObjectIdentifier(folder)] = folder.namesElsewhere.isEmpty ? nil : folder
    }

    private func look(
        _ item: FolderEntries.Item, _ entries: FolderEntries, _ above: borrowing Descriptor,
        in folder: WatchedFolder, named folderName: String, _ walk: FolderWalk
    ) -> WatchedFolder.Look {
        let isHidden = !walk.readsHidden && entries.name(item).first == UInt8(ascii: ".")
        if isHidden, item.kind != .folder, item.kind != .untold { return .gone }
        switch item.kind {
        case .link: return .problem(.symbolicLink)
        case .other: return .problem(.notRegular)
        case .file, .folder, .untold: break
        }
        let name = String(decoding: entries.name(item), as: UTF8.self)
        let candidate = FileCandidate(name: name, folder: folderName, isRoot: false)
        let type = walk.classify(candidate)
        let isCompanion = type == nil && !isHidden && walk.isCompanion?(candidate) ?? false
        let isListed = type != nil || isCompanion
        // Of another kind, but it may be another name of a file that is listed.
        if item.kind == .file, !isListed, !isUpdating || folder.watch == nil { return .problem(.notThisKind) }
        var status = stat()
        lookCount += 1
        guard entries.withName(item, { fstatat(above.raw, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else {
            // What is not listed need not be readable.
            if item.kind == .file, !isListed { return .problem(.notThisKind) }
            return errno == ENOENT ? .gone : .problem(isCompanion ? .notThisKind : .unreadable(errno: errno))
        }
        let kind = FolderEntries.Kind(mode: status.st_mode)
        if isHidden, kind != .folder { return .gone }
        switch kind {
        case .file:
            if isUpdating, status.st_nlink > 1 { linked.insert(UInt64(status.st_ino)) }
            if let type { return .file(type: type, FileStatus(status)) }
            return isCompanion ? .companion(FileStatus(status)) : .problem(.notThisKind)
        case .folder:
            guard folder.depth < FileListing.depthLimit else { return .problem(.tooDeep) }
            guard let opened = above.openDirectory(name), let identity = FileIdentity(descriptor: opened.raw)
            else { return .problem(.unreadable(errno: errno)) }
            let prefix = folder.path.hasSuffix("/") ? folder.path : folder.path + "/"
            let child = WatchedFolder(
                path: prefix + name, name: name, depth: folder.depth + 1, parent: folder, identity: identity)
            load(child, opened, walk)
            return .folder(child)
        case .link: return .problem(.symbolicLink)
        case .other, .untold: return .problem(.notRegular)
        }
    }

    private func register(_ folder: WatchedFolder, _ descriptor: borrowing Descriptor) {
        if !isBeyondLimit, mounts.isLocal(descriptor) {
            do throws(InotifyQueue.Refusal) {
                guard watched.count < watchLimit else { throw .limit }
                let number = try queue.watch(descriptor)
                folder.watch = number
                watched[number, default: []].append(folder)
                return
            } catch {
                if error == .limit { isBeyondLimit = true }
            }
        }
        unwatched[ObjectIdentifier(folder)] = folder
    }

    private func unregister(_ folder: WatchedFolder) {
        unwatched[ObjectIdentifier(folder)] = nil
        guard let number = folder.watch else { return }
        folder.watch = nil
        watched[number]?.removeAll { $0 === folder }
        guard watched[number]?.isEmpty == true else { return }
        watched[number] = nil
        queue.forget(number)
    }

    private func forget(_ folder: WatchedFolder) {
        for child in folder.children { forget(child) }
        unregister(folder)
        shared[ObjectIdentifier(folder)] = nil
    }

    private func forgetAll() {
        for top in tops.values { forget(top) }
        tops = [:]
        last = nil
    }
}
