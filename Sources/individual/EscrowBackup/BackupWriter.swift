public import EscrowDiagnostics
internal import EscrowFiles
internal import Glibc

/// Writes an encrypted backup of a folder, in memory that does not grow with it.
public struct BackupWriter: ~Copyable {
    private let output: Descriptor
    private var cipher: BackupCipher
    private var buffer: [UInt8] = []

    public struct Summary: Sendable, Equatable {
        public internal(set) var files = 0
        public internal(set) var bytes = 0
    }

    private init(_ output: consuming Descriptor, passphrase: [UInt8], cost: UInt8) throws(Diagnostic) {
        var header = BackupHeader(salt: Self.randomSalt())
        header.cost = cost
        let cipher = try BackupCipher(header, passphrase: passphrase)
        try output.write(header.bytes)
        self.output = output
        self.cipher = cipher
    }

    /// Backs a folder up into a new file, which is there whole or not at all.
    ///
    /// The caller keeps others from changing the folder. Lock files, sockets and leftovers of cut-off writes (`*.new`) are
    /// left out.
    public static func write(
        folder: String, to path: String, passphrase: [UInt8]
    ) throws(Diagnostic) -> Summary {
        try write(folder: folder, to: path, passphrase: passphrase, cost: BackupHeader.standardCost)
    }

    /// The same with a key of another cost: tests make hundreds.
    static func write(
        folder: String, to path: String, passphrase: [UInt8], cost: UInt8
    ) throws(Diagnostic) -> Summary {
        let temporary = "\(path).\(getpid()).new"
        var status = stat()
        guard lstat(path, &status) != 0 else {
            throw Diagnostic(
                .backupFileExists, "\(path) exists already; nothing was written",
                help: "name a file that does not exist")
        }
        unlink(temporary)
        do throws(Diagnostic) {
            let file = try Descriptor(
                opening: temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
            var writer = try BackupWriter(file, passphrase: passphrase, cost: cost)
            var summary = Summary()
            for name in try Folder.names(folder) {
                try writer.add(folder, name, &summary)
            }
            try writer.finish()
            // link(2) and not rename(2): it never replaces what somebody put there in the meantime.
            guard link(temporary, path) == 0 else { throw Diagnostic.file(path, "cannot be made", errno) }
            unlink(temporary)
            try SecureFile.synchronizeFolder(SecureFile.parent(of: path))
            return summary
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// The lock files of a folder in the order to take them: the holder of a store's lock may wait for the ledger's, never
    /// the other way round. The locks of open questions are left out, as an open question may wait for the grants'.
    public static func locks(of folder: String) throws(Diagnostic) -> [String] {
        var paths: [String] = []
        for name in try Folder.names(folder) {
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFREG, FolderListing.isLock(name) { paths.append(name) }
            guard status.st_mode & S_IFMT == S_IFDIR, name != "questions" else { continue }
            for inner in try Folder.names("\(folder)/\(name)") {
                let path = "\(name)/\(inner)"
                var status = stat()
                guard FolderListing.isLock(path), lstat("\(folder)/\(path)", &status) == 0,
                    status.st_mode & S_IFMT == S_IFREG
                else { continue }
                paths.append(path)
            }
        }
        let (ledger, others) = (
            paths.filter { $0.hasPrefix("ledger/") }, paths.filter { !$0.hasPrefix("ledger/") }
        )
        return (others.sorted() + ledger.sorted()).map { "\(folder)/\($0)" }
    }

    private mutating func add(_ root: String, _ path: String, _ summary: inout Summary) throws(Diagnostic) {
        let whole = root + "/" + path
        var status = stat()
        guard lstat(whole, &status) == 0 else { throw .file(whole, "cannot be examined", errno) }
        guard ArchiveEntry.isPath(path) else {
            throw Diagnostic(.homeNotBackedUp, "a file of the escrow home has a name that no backup can hold")
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            try put(ArchiveEntry.folder(path: path).head)
            for name in try Folder.names(whole) { try add(root, path + "/" + name, &summary) }
        case S_IFREG where FolderListing.isTransient(path): return
        case S_IFREG: try addFile(whole, path, &summary)
        case S_IFSOCK, S_IFIFO: return
        default:
            throw Diagnostic(
                .homeNotBackedUp, "\(whole) is neither a file nor a folder, and a backup cannot hold it",
                help: "see who put it there, and remove it")
        }
    }

    private mutating func addFile(
        _ whole: String, _ path: String, _ summary: inout Summary
    ) throws(Diagnostic) {
        let file = try Descriptor(opening: whole, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        var status = stat()
        guard fstat(file.raw, &status) == 0 else { throw .file(whole, "cannot be examined", errno) }
        let size = UInt64(max(status.st_size, 0))
        try put(
            ArchiveEntry.file(path: path, isExecutable: status.st_mode & 0o100 != 0, size: size).head)
        var left = size
        while left > 0 {
            let piece = try file.read(Int(min(left, UInt64(BackupCipher.chunkSize))))
            guard !piece.isEmpty else {
                throw Diagnostic(
                    .homeNotBackedUp, "\(whole) became shorter while it was backed up; nothing was written",
                    help: "end what changes the escrow home, and try again")
            }
            try put(piece)
            left -= UInt64(piece.count)
        }
        summary.files += 1
        summary.bytes += Int(clamping: size)
    }

    private mutating func put(_ bytes: [UInt8]) throws(Diagnostic) {
        buffer += bytes
        // One full chunk is kept back: the last must be known as such when it is sealed.
        while buffer.count > BackupCipher.chunkSize {
            let chunk = Array(buffer.prefix(BackupCipher.chunkSize))
            buffer.removeFirst(BackupCipher.chunkSize)
            try output.write(try cipher.seal(chunk, isLast: false))
        }
    }

    private mutating func finish() throws(Diagnostic) {
        try put(ArchiveEntry.end.head)
        try output.write(try cipher.seal(buffer, isLast: true))
        try output.synchronize()
    }

    private static func randomSalt() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
