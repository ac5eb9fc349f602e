internal import EscrowDiagnostics
internal import Glibc

/// Lists sources: a file, or a folder and its sub-folders.
///
/// Links inside a folder are not followed, hidden entries mostly not looked at, and FIFOs, sockets and devices are left
/// alone. Entries come sorted by the bytes of their names, so the same folder gives the same order every time.
struct FolderWalk {
    /// Whether hidden entries are looked at.
    let readsHidden: Bool
    /// Which names are listed, and as what; nil leaves the file out.
    let classify: (_ file: FileCandidate) -> UInt8?
    /// Told about entries that were left out for a reason worth knowing.
    let onProblem: (_ path: String, _ problem: FileProblem) -> Void

    /// Lists all sources.
    ///
    /// - Throws: E0808 if a source is gone or cannot be opened.
    func list(_ roots: [String]) throws(Diagnostic) -> FileListing {
        var listing = FileListing(roots: roots)
        for (index, root) in roots.enumerated() {
            var status = stat()
            guard stat(root, &status) == 0 else { throw .sourceUnreadable(root, errno: errno) }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                guard let directory = Descriptor.openingRoot(root) else {
                    throw .sourceUnreadable(root, errno: errno)
                }
                let position = listing.addDirectory(.init(path: root, parent: nil, name: ""))
                walk(directory, at: position, root: index, depth: 0, into: &listing)
            case S_IFREG:
                let name = String(root.split(separator: "/").last ?? "")
                guard let kind = classify(FileCandidate(name: name, folder: "", isRoot: true)) else {
                    onProblem(root, .notThisKind)
                    continue
                }
                if !listing.addFile(name: name, kind: kind, directory: -1, root: index, status: status) {
                    onProblem(root, .tooManyFiles)
                }
            default:
                throw .sourceUnreadable(root, errno: ENOTDIR)
            }
        }
        return listing
    }

    private func walk(
        _ directory: borrowing Descriptor, at position: Int, root: Int, depth: Int,
        into listing: inout FileListing
    ) {
        let base = listing.directories[position].path
        let prefix = base.hasSuffix("/") ? base : base + "/"
        let folder = String(base.split(separator: "/").last ?? "")
        guard let entries = entries(of: directory, path: base) else {
            onProblem(base, .unreadable(errno: errno))
            return
        }
        for name in entries {
            var status = stat()
            guard fstatat(directory.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                // Gone since it was listed: as if it had never been there. Anything else is worth a word.
                if errno != ENOENT { onProblem(prefix + name, .unreadable(errno: errno)) }
                continue
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG:
                guard let kind = classify(FileCandidate(name: name, folder: folder, isRoot: false)) else {
                    onProblem(prefix + name, .notThisKind)
                    continue
                }
                if !listing.addFile(name: name, kind: kind, directory: position, root: root, status: status) {
                    onProblem(prefix + name, .tooManyFiles)
                    return
                }
            case S_IFDIR:
                guard depth < FileListing.depthLimit else {
                    onProblem(prefix + name, .tooDeep)
                    continue
                }
                guard let child = directory.openDirectory(name) else {
                    onProblem(prefix + name, .unreadable(errno: errno))
                    continue
                }
                let index = listing.addDirectory(.init(path: prefix + name, parent: position, name: name))
                walk(child, at: index, root: root, depth: depth + 1, into: &listing)
            case S_IFLNK:
                onProblem(prefix + name, .symbolicLink)
            default:
                onProblem(prefix + name, .notRegular)
            }
        }
    }

    /// The visible names in a folder, sorted by bytes; nil with `errno` set.
    private func entries(of directory: borrowing Descriptor, path: String) -> [String]? {
        // fdopendir takes the descriptor over, so it gets one of its own.
        let copy = openat(directory.raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { return nil }
        guard let stream = fdopendir(copy) else {
            close(copy)
            return nil
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            guard let name else {
                onProblem(path, .nameNotUTF8)
                continue
            }
            if name.utf8.first == UInt8(ascii: "."), !readsHidden || name == "." || name == ".." { continue }
            guard names.count < FileListing.fileLimit else {
                onProblem(path, .tooManyFiles)
                break
            }
            names.append(name)
        }
        names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return names
    }
}
