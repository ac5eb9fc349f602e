internal import EscrowDiagnostics
internal import EscrowFiles
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import Glibc

/// A first look at a path that the person wants to add.
enum SourceProbe {
    /// Checks that a path can be opened and holds at least one file of the kind.
    ///
    /// - Throws: E0803 or E0804.
    static func check(_ path: String, looksLike adapter: any SourceAdapter) throws(Diagnostic) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .sourceNotFound(path, errno: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: try checkFolder(path, adapter)
        case S_IFREG: try checkFile(path, adapter)
        case S_IFSOCK:
            if let reason = adapter.refusal(socket: path) { throw .notOfKind(adapter.kind, path, reason) }
        default: throw .notOfKind(adapter.kind, path, "it is neither a file nor a folder")
        }
    }

    private static func checkFolder(_ path: String, _ adapter: any SourceAdapter) throws(Diagnostic) {
        guard Descriptor.openingRoot(path) != nil else { throw .sourceNotFound(path, errno: errno) }
        guard try list(path, adapter, { _ in }).files.isEmpty else { return }
        throw .notOfKind(adapter.kind, path, "the folder holds " + adapter.nothingFound)
    }

    private static func list(
        _ path: String, _ adapter: any SourceAdapter, _ onProblem: @escaping (FileProblem) -> Void
    ) throws(Diagnostic) -> FileListing {
        ArchiveListing(choice: adapter, memory: nil) { onProblem($1) }
            .expanded(try adapter.walk { onProblem($1) }.list([path]))
    }

    private static func checkArchive(_ path: String, _ adapter: any SourceAdapter) throws(Diagnostic) {
        var problem: FileProblem?
        guard try list(path, adapter, { problem = problem ?? $0 }).files.isEmpty else { return }
        let reason = problem?.reason ?? "a zip archive without a file of this kind"
        throw .notOfKind(adapter.kind, path, "it is \(reason)")
    }

    private static func checkFile(_ path: String, _ adapter: any SourceAdapter) throws(Diagnostic) {
        guard let file = Descriptor.openingRootFile(path) else { throw .sourceNotFound(path, errno: errno) }
        guard let head = file.bytes(at: 0, count: 64 << 10)?[...] else {
            throw .sourceNotFound(path, errno: errno)
        }
        let name = String(path.split(separator: "/").last ?? "")
        let candidate = FileCandidate(name: name, folder: "", isRoot: true)
        if adapter.archiveEndings.contains(candidate.ending), ZipArchive.isZip(head) {
            return try checkArchive(path, adapter)
        }
        if let ending = adapter.archiveEndings.max(), ZipArchive.isZip(head) {
            throw .notOfKind(
                adapter.kind, path, "it is a zip archive; give it a name that ends in .\(ending)")
        }
        if !adapter.archiveEndings.isEmpty, ListedArchive.isTar(head: head) {
            throw .notOfKind(adapter.kind, path, "it is \(ListedArchive.tarReason)")
        }
        if let reason = adapter.refusal(head, of: candidate) {
            throw .notOfKind(adapter.kind, path, reason)
        }
        guard adapter.classify(candidate) != nil else {
            throw .notOfKind(adapter.kind, path, "its name is not that of such a file")
        }
    }
}
