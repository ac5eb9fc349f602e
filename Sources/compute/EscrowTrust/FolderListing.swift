internal import EscrowDiagnostics
internal import EscrowFiles
internal import Glibc

/// The files of a folder that someone gave us: plain ones only, each opened without following a link.
enum FolderListing {
    /// The relative paths of all files below a folder, sorted. Throws for a link, device, setuid file or strange name.
    static func files(below root: borrowing Descriptor) throws(Diagnostic) -> [String] {
        var paths: [String] = []
        try list(root.raw, prefix: "", depth: 0, into: &paths)
        return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    static func read(_ path: String, below root: borrowing Descriptor, limit: Int) throws(Diagnostic)
        -> [UInt8]
    {
        let file = try Walk.open(path, below: root)
        let size = try Walk.checkRegular(file, path, limit: limit)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 1)
        while true {
            let piece = try file.read(min(1 << 20, size - bytes.count + 1))
            if piece.isEmpty { break }
            bytes += piece
            guard bytes.count <= size else { break }
        }
        guard bytes.count == size else {
            throw Diagnostic(
                .fileChangedWhileRead, "\(path) changed while it was read", help: "run the command again")
        }
        return bytes
    }

    private static func list(
        _ folder: Int32, prefix: String, depth: Int, into paths: inout [String]
    ) throws(Diagnostic) {
        guard depth < 8 else { throw Diagnostic(.packageTooLarge, "\(prefix) is nested too deeply") }
        let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else {
            if copy >= 0 { close(copy) }
            throw .file(prefix.isEmpty ? "the folder" : prefix, "cannot be listed", errno)
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            let path = prefix + name
            var status = stat()
            guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                throw .file(path, "cannot be examined", errno)
            }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                let inner = Descriptor(
                    owning: openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
                guard inner.raw >= 0 else { throw .file(path, "cannot be opened", errno) }
                try list(inner.raw, prefix: path + "/", depth: depth + 1, into: &paths)
            case S_IFREG where status.st_mode & (S_ISUID | S_ISGID) == 0: paths.append(path)
            default: throw Walk.irregular(path)
            }
            guard paths.count <= 512 else {
                throw Diagnostic(.packageTooLarge, "a package has at most 512 files")
            }
        }
    }
}
