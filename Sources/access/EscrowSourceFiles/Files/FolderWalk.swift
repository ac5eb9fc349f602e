package import EscrowDiagnostics
internal import EscrowFiles
internal import Glibc

/// Lists sources: a file, or a folder and its sub-folders.
///
/// Links inside a folder are not followed, hidden entries mostly not looked at, and FIFOs, sockets and devices are left
/// alone. Entries come sorted by the bytes of their names, so the same folder gives the same order every time.
package struct FolderWalk {
    /// Whether hidden entries are looked at.
    package let readsHidden: Bool
    /// Whether a source may be a socket.
    package let readsSockets: Bool
    /// The name of a folder that a hidden folder must hold to be looked into even so.
    package var hiddenFolderMarker: String?
    /// Which names are listed, and as what; nil leaves the file out.
    package let classify: (_ file: FileCandidate) -> UInt8?
    /// Which names that are not listed may tell more of the files that are; asked by a watch alone.
    package var isCompanion: ((_ file: FileCandidate) -> Bool)?
    /// Whether `classify` looks at nothing but the ending of a file in a folder.
    package var classifiesByEnding = false
    /// Whether the size, time and i-node of files are left to be looked up when they are needed. That is what a listing
    /// costs most by far.
    package var leavesStatus = false
    /// Told about entries that were left out for a reason worth knowing.
    package let onProblem: (_ path: String, _ problem: FileProblem) -> Void

    package init(
        readsHidden: Bool, readsSockets: Bool = false, hiddenFolderMarker: String? = nil,
        classify: @escaping (_ file: FileCandidate) -> UInt8?,
        isCompanion: ((_ file: FileCandidate) -> Bool)? = nil, classifiesByEnding: Bool = false,
        leavesStatus: Bool = false,
        onProblem: @escaping (_ path: String, _ problem: FileProblem) -> Void
    ) {
        self.readsHidden = readsHidden
        self.readsSockets = readsSockets
        self.hiddenFolderMarker = hiddenFolderMarker
        self.classify = classify
        self.isCompanion = isCompanion
        self.classifiesByEnding = classifiesByEnding
        self.leavesStatus = leavesStatus
        self.onProblem = onProblem
    }

    /// Lists all sources.
    ///
    /// - Throws: E0808 if a source is gone or cannot be opened.
    package func list(_ roots: [String]) throws(Diagnostic) -> FileListing {
        var listing = FileListing(roots: roots)
        for (index, root) in roots.enumerated() { try add(root, index, to: &listing) }
        return listing
    }

    /// Adds one source to a listing.
    ///
    /// - Throws: E0808 if it is gone or cannot be opened.
    package func add(_ root: String, _ index: Int, to listing: inout FileListing) throws(Diagnostic) {
        var status = stat()
        guard stat(root, &status) == 0 else { throw .sourceUnreadable(root, errno: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            guard let directory = Descriptor.openingRoot(root) else {
                throw .sourceUnreadable(root, errno: errno)
            }
            let position = listing.addDirectory(
                .init(path: root, parent: nil, name: "", identity: FileIdentity(descriptor: directory.raw)))
            var memo = EndingMemo()
            walk(directory, at: position, root: index, depth: 0, into: &listing, &memo)
        case S_IFREG,
            S_IFSOCK where readsSockets:
            let name = String(root.split(separator: "/").last ?? "")
            guard let kind = classify(FileCandidate(name: name, folder: "", isRoot: true)) else {
                onProblem(root, .notThisKind)
                return
            }
            let isAdded = listing.addFile(
                name: name.utf8, kind: kind, directory: -1, root: index, status: FileStatus(status))
            if !isAdded { onProblem(root, .tooManyFiles) }
        default:
            throw .sourceUnreadable(root, errno: ENOTDIR)
        }
    }

    /// Whether hidden entries are of any interest.
    var listsHidden: Bool { readsHidden || hiddenFolderMarker != nil }

    private func walk(
        _ directory: borrowing Descriptor, at position: Int, root: Int, depth: Int,
        into listing: inout FileListing, _ memo: inout EndingMemo
    ) {
        let base = listing.directories[position].path
        let prefix = base.hasSuffix("/") ? base : base + "/"
        let folder = String(base.split(separator: "/").last ?? "")
        guard let entries = FolderEntries(of: directory, readsHidden: listsHidden) else {
            onProblem(base, .unreadable(errno: errno))
            return
        }
        for _ in 0..<entries.badNames { onProblem(base, .nameNotUTF8) }
        if entries.isCut { onProblem(base, .tooManyFiles) }
        var leavesStatus: Bool?
        for item in entries.items {
            var kind = item.kind
            var status: FileStatus?
            func look() -> Int32? {
                var found = stat()
                let code = entries.withName(item) {
                    fstatat(directory.raw, $0, &found, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno
                }
                guard code == 0 else { return code }
                kind = FolderEntries.Kind(mode: found.st_mode)
                status = FileStatus(found)
                return nil
            }
            func path() -> String { prefix + String(decoding: entries.name(item), as: UTF8.self) }
            if kind == .untold, let code = look() {
                // Gone since it was listed: as if it had never been there. Anything else is worth a word.
                if code != ENOENT { onProblem(path(), .unreadable(errno: code)) }
                continue
            }
            let isUnlisted = !readsHidden && entries.name(item).first == UInt8(ascii: ".")
            if isUnlisted, kind != .folder { continue }
            switch kind {
            case .file:
                guard let type = type(of: entries.name(item), in: folder, &memo) else {
                    onProblem(path(), .notThisKind)
                    continue
                }
                // A folder may be readable without being searchable: its names are seen, and no file can be opened. The
                // first file tells, so that which files there are never depends on the columns asked for.
                if status == nil, !self.leavesStatus || leavesStatus != true {
                    let code = look()
                    if leavesStatus == nil || code != nil { leavesStatus = code == nil }
                    if let code {
                        if code != ENOENT { onProblem(path(), .unreadable(errno: code)) }
                        continue
                    }
                    guard kind == .file else {
                        onProblem(path(), kind == .link ? .symbolicLink : .notRegular)
                        continue
                    }
                }
                let isAdded = listing.addFile(
                    name: entries.name(item), kind: type, directory: position, root: root, status: status)
                guard isAdded else {
                    onProblem(path(), .tooManyFiles)
                    return
                }
            case .folder:
                guard depth < FileListing.depthLimit else {
                    onProblem(path(), .tooDeep)
                    continue
                }
                let name = String(decoding: entries.name(item), as: UTF8.self)
                guard let child = directory.openDirectory(name) else {
                    onProblem(prefix + name, .unreadable(errno: errno))
                    continue
                }
                if isUnlisted, !holdsMarker(child) { continue }
                let index = listing.addDirectory(
                    .init(
                        path: prefix + name, parent: position, name: name,
                        identity: FileIdentity(descriptor: child.raw)))
                walk(child, at: index, root: root, depth: depth + 1, into: &listing, &memo)
            case .link: onProblem(path(), .symbolicLink)
            case .other, .untold: onProblem(path(), .notRegular)
            }
        }
    }

    /// Whether a hidden folder is to be looked into even so.
    func holdsMarker(_ directory: borrowing Descriptor) -> Bool {
        guard let hiddenFolderMarker else { return false }
        var status = stat()
        return fstatat(directory.raw, hiddenFolderMarker, &status, AT_SYMLINK_NOFOLLOW) == 0
            && status.st_mode & S_IFMT == S_IFDIR
    }

    private func type(
        of name: ArraySlice<UInt8>, in folder: String, _ memo: inout EndingMemo
    ) -> UInt8? {
        func ask() -> UInt8? {
            classify(
                FileCandidate(name: String(decoding: name, as: UTF8.self), folder: folder, isRoot: false))
        }
        return classifiesByEnding ? memo.answer(for: name, or: ask) : ask()
    }
}

/// What `classify` said of endings: a folder of a hundred thousand pictures has a few.
private struct EndingMemo {
    private var answers: [UInt64: UInt8?] = [:]
    private var last: (key: UInt64, answer: UInt8?)?

    mutating func answer(for name: ArraySlice<UInt8>, or ask: () -> UInt8?) -> UInt8? {
        // The ending with its dot in a word; longer ones, and names without one, are asked about each time.
        var key: UInt64 = 0
        for byte in name.suffix(8).reversed() {
            key = key << 8 | UInt64(byte)
            if byte == UInt8(ascii: ".") { break }
        }
        guard key & 0xFF == UInt64(UInt8(ascii: ".")) else { return ask() }
        if let last, last.key == key { return last.answer }
        let answer = answers[key] ?? ask()
        answers[key] = .some(answer)
        last = (key, answer)
        return answer
    }
}
