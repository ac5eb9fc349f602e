public import EscrowDiagnostics
internal import EscrowFiles
internal import Glibc

/// Restores an encrypted backup into a new folder, in memory that does not grow with it.
public enum BackupReader {
    /// Writes a backup into an existing empty folder. After an error the folder holds a part, which the caller must remove.
    public static func read(_ path: String, into folder: String, passphrase: [UInt8]) throws(Diagnostic) {
        let input = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        var status = stat()
        guard fstat(input.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Diagnostic(.notRegularFile, "\(path) is not a regular file", help: "name a regular file")
        }
        let header = try BackupHeader(try fill(input, BackupHeader.size))
        var cipher = try BackupCipher(header, passphrase: passphrase)
        var target = RestoreTarget(folder)
        var parser = ArchiveParser()
        let stored = BackupCipher.chunkSize + BackupCipher.tagSize
        var chunk = try fill(input, stored)
        while true {
            let next = chunk.count == stored ? try fill(input, stored) : []
            guard chunk.count >= BackupCipher.tagSize else { throw .altered }
            let clear = try cipher.open(chunk, isLast: next.isEmpty)
            try parser.feed(clear) { entry throws(Diagnostic) in try target.take(entry) }
            if next.isEmpty { break }
            chunk = next
        }
        guard parser.isDone else { throw ArchiveParser.damaged("it has no end") }
    }

    /// So many bytes, fewer at the end of the file.
    private static func fill(_ input: borrowing Descriptor, _ count: Int) throws(Diagnostic) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let piece = try input.read(count - bytes.count)
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }
}

/// The folder that a backup is restored into.
struct RestoreTarget: ~Copyable {
    private let folder: String
    private var file: Descriptor?
    private var left: UInt64 = 0

    init(_ folder: String) { self.folder = folder }

    /// Makes a folder or a file, for the owner alone, and writes pieces; a file is durable before the next begins.
    mutating func take(_ entry: ArchiveEntry) throws(Diagnostic) {
        switch entry {
        case .folder(let path):
            guard mkdir("\(folder)/\(path)", 0o700) == 0 else {
                throw .file("\(folder)/\(path)", "cannot be made", errno)
            }
        case .file(let path, let isExecutable, let size):
            let opened = try Descriptor(
                opening: "\(folder)/\(path)", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
                mode: isExecutable ? 0o700 : 0o600)
            left = size
            if size == 0 {
                try opened.synchronize()
            } else {
                file = consume opened
            }
        case .bytes(let bytes):
            guard let open = file.take() else { throw ArchiveParser.damaged("it has bytes of no file") }
            try open.write(bytes)
            left -= min(left, UInt64(bytes.count))
            if left == 0 {
                try open.synchronize()
            } else {
                file = consume open
            }
        case .end: break
        }
    }
}
