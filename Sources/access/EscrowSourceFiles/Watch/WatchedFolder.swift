internal import EscrowFiles
internal import Glibc

/// A folder whose listing is kept, with all that a walk would say of its entries.
final class WatchedFolder {
    /// What a walk says of one entry.
    enum Look {
        case file(type: UInt8, FileStatus)
        /// No file of the kind, but one that may tell more of those that are.
        case companion(FileStatus)
        case folder(WatchedFolder)
        case problem(FileProblem)
        /// Not there any more when it was looked at, or not to be listed.
        case gone
    }

    let path: String
    let name: String
    let depth: Int
    /// The folder that holds it; nil for a source's own.
    weak var parent: WatchedFolder?
    let identity: FileIdentity
    /// The number of its watch; nil if every query must look at it.
    var watch: Int32?
    fileprivate(set) var entries: FolderEntries?
    fileprivate(set) var looks: [Look] = []
    /// Why its entries are not known.
    fileprivate(set) var failure: FileProblem?

    init(path: String, name: String, depth: Int, parent: WatchedFolder?, identity: FileIdentity) {
        self.path = path
        self.name = name
        self.depth = depth
        self.parent = parent
        self.identity = identity
    }

    /// Whether its name makes it hidden; a source's own folder never is.
    var isHidden: Bool { name.utf8.first == UInt8(ascii: ".") }
    /// Whether it is hidden and nothing in it says that it is to be looked into.
    var isLeftOut = false

    /// Forgets what it holds, and returns the folders among it.
    func empty() -> [WatchedFolder] {
        let folders = looks.folders
        entries = nil
        looks = []
        failure = nil
        return folders
    }

    var children: [WatchedFolder] {
        looks.compactMap { if case .folder(let child) = $0 { child } else { nil } }
    }

    /// The names of files that have other names elsewhere: they may change without an event here.
    var namesElsewhere: Set<[UInt8]> {
        guard let entries else { return [] }
        var names: Set<[UInt8]> = []
        for (item, look) in zip(entries.items, looks) {
            switch look {
            case .file(_, let status), .companion(let status):
                if status.hasOtherNames { names.insert(Array(entries.name(item))) }
            case .folder, .problem, .gone: break
            }
        }
        return names
    }

    /// The names of files by their i-nodes, of those that had no other name when they were looked at.
    func names(of inodes: Set<UInt64>) -> Set<[UInt8]> {
        guard let entries else { return [] }
        var names: Set<[UInt8]> = []
        for (item, look) in zip(entries.items, looks) {
            switch look {
            case .file(_, let status), .companion(let status):
                guard !status.hasOtherNames, inodes.contains(status.inode) else { continue }
                names.insert(Array(entries.name(item)))
            case .folder, .problem, .gone: break
            }
        }
        return names
    }

    /// Opens the folder, name by name and without following links below the source; nil if something else is there now.
    func open() -> Descriptor? {
        let opened: Descriptor?
        if depth == 0 {
            opened = Descriptor.openingRoot(path)
        } else if let parent {
            switch parent.open() {
            case .some(let above): opened = above.openDirectory(name)
            case .none: opened = nil
            }
        } else {
            opened = nil
        }
        guard let opened, FileIdentity(descriptor: opened.raw) == identity else { return nil }
        return opened
    }

    /// Reads the names anew. An entry that was looked at before, and is not among `dirty`, is not looked at again.
    ///
    /// - Parameter dirty: names that changed; nil for all.
    /// - Parameter look: looks at an entry anew.
    /// - Returns: folders that are no longer here.
    func relist(
        _ descriptor: borrowing Descriptor, dirty: Set<[UInt8]>?, readsHidden: Bool,
        look: (FolderEntries.Item, FolderEntries, borrowing Descriptor) -> Look
    ) -> [WatchedFolder] {
        let old = entries
        let oldLooks = looks
        looks = []
        failure = nil
        entries = FolderEntries(of: descriptor, readsHidden: readsHidden)
        guard let entries else {
            failure = .unreadable(errno: errno)
            return oldLooks.folders
        }
        looks.reserveCapacity(entries.items.count)
        var kept: Set<ObjectIdentifier> = []
        var at = 0
        for item in entries.items {
            let name = entries.name(item)
            // Both are sorted: each step leaves behind what is gone.
            while let old, at < old.items.count, old.name(old.items[at]).lexicographicallyPrecedes(name) {
                at += 1
            }
            if let old, let dirty, at < old.items.count, old.items[at].kind == item.kind,
                old.name(old.items[at]) == name, !dirty.contains(Array(name))
            {
                looks.append(oldLooks[at])
                if case .folder(let child) = oldLooks[at] { kept.insert(ObjectIdentifier(child)) }
            } else {
                looks.append(look(item, entries, descriptor))
            }
        }
        return oldLooks.folders.filter { !kept.contains(ObjectIdentifier($0)) }
    }

    /// Adds what is known to a listing, in the order of a walk; false when the listing is full.
    func append(
        to listing: inout FileListing, root: Int, parent: Int?, _ onProblem: (String, FileProblem) -> Void
    ) -> Bool {
        guard !isLeftOut else { return true }
        let position = listing.addDirectory(.init(path: path, parent: parent, name: name, identity: identity))
        guard let entries else {
            onProblem(path, failure ?? .unreadable(errno: EIO))
            return true
        }
        let prefix = path.hasSuffix("/") ? path : path + "/"
        func full(_ item: FolderEntries.Item) -> String {
            prefix + String(decoding: entries.name(item), as: UTF8.self)
        }
        for _ in 0..<entries.badNames { onProblem(path, .nameNotUTF8) }
        if entries.isCut {
            // What lies beside the files is not known then.
            listing.state = nil
            onProblem(path, .tooManyFiles)
        }
        for (item, look) in zip(entries.items, looks) {
            switch look {
            case .file(let type, let status):
                let isAdded = listing.addFile(
                    name: entries.name(item), kind: type, directory: position, root: root, status: status)
                guard isAdded else {
                    onProblem(full(item), .tooManyFiles)
                    return false
                }
            case .companion(let status):
                listing.companions.append(
                    .init(directory: Int32(position), name: Array(entries.name(item)), status: status))
            case .folder(let child):
                guard child.append(to: &listing, root: root, parent: position, onProblem) else {
                    return false
                }
            case .problem(let problem): onProblem(full(item), problem)
            case .gone: break
            }
        }
        return true
    }
}

extension [WatchedFolder.Look] {
    fileprivate var folders: [WatchedFolder] {
        compactMap { if case .folder(let child) = $0 { child } else { nil } }
    }
}
