public import EscrowDiagnostics
internal import EscrowFiles
internal import Glibc

/// A database as it stood at one moment, in memory that only this process sees.
///
/// The original is only ever read: no lock is taken on it and no file made beside it, so its program notices nothing,
/// whether it runs or not. What it has committed is in the copy; what it has not is not.
public final class PrivateCopy: @unchecked Sendable {
    /// The largest database that is copied.
    public static let byteLimit: Int64 = 8 << 30
    /// How often the copying starts again because the original changed meanwhile.
    private static let tries = 8

    /// The pages, never written after the copy was made.
    let base: UnsafeMutableRawPointer
    /// Their size in bytes.
    let size: Int

    /// Copies a database with what its `-wal` or `-journal` adds or takes back.
    ///
    /// - Parameters:
    ///   - file: the database, open for reading; it stays open.
    ///   - limit: the most bytes that are copied.
    ///   - sibling: opens a file beside it by the ending of its name (`-wal`, `-journal`) for reading; a negative number
    ///     if there is none. What it returns is closed here.
    /// - Throws: E0830 to E0835.
    public convenience init(
        of file: Int32, limit: Int64 = PrivateCopy.byteLimit, sibling: (_ ending: String) -> Int32
    ) throws(Diagnostic) {
        let raw = fcntl(file, F_DUPFD_CLOEXEC, 0)
        guard raw >= 0 else { throw .unreadableDatabase(errno: errno) }
        let original = Descriptor(owning: raw)
        for _ in 0..<Self.tries {
            if let (copy, size) = try Self.attempt(original, limit: limit, sibling: sibling) {
                try self.init(mapping: copy, size: size)
                return
            }
        }
        throw .databaseKeepsChanging()
    }

    private init(mapping copy: AnonymousFile, size: Int64) throws(Diagnostic) {
        // Nobody else can cut the file, so reading the mapping cannot fault.
        guard let base = mmap(nil, Int(size), PROT_READ, MAP_PRIVATE, copy.file.raw, 0), base != MAP_FAILED
        else {
            throw .noRoomForCopy(errno: errno)
        }
        self.base = base
        self.size = Int(size)
    }

    deinit { munmap(base, size) }

    /// A file beside the database.
    private final class SideFile {
        let file: Descriptor
        let stamp: FileStamp

        init?(_ raw: Int32) {
            guard raw >= 0 else { return nil }
            let file = Descriptor(owning: raw)
            guard let stamp = FileStamp(file), stamp.isRegular else { return nil }
            self.file = file
            self.stamp = stamp
        }
    }

    /// One try; nil if the original changed meanwhile.
    private static func attempt(
        _ file: borrowing Descriptor, limit: Int64, sibling: (String) -> Int32
    ) throws(Diagnostic) -> (AnonymousFile, Int64)? {
        guard let before = FileStamp(file), before.isRegular else {
            throw .unreadableDatabase(errno: EINVAL)
        }
        guard before.size <= limit else { throw .databaseTooLarge(limit) }
        let log = SideFile(sibling("-wal"))
        let journal = SideFile(sibling("-journal"))
        let copy = try AnonymousFile(size: before.size)
        try copy.take(file, count: before.size)

        let pageSize = try pageSize(of: copy, log: log)
        var pages: Int64?
        if let log, var reader = try WriteAheadLog(log.file, pageSize: pageSize) {
            pages = try reader.apply(log.file, to: copy, size: log.stamp.size, limit: limit)
        } else if let journal {
            // A transaction that has written into the file is undone. A log and a journal are never there together.
            pages = try RollbackJournal.playBack(
                journal.file, size: journal.stamp.size, into: copy, pageSize: pageSize)
        }
        // Equal stamps around a copy say that nothing changed in between.
        for (side, ending) in [(log, "-wal"), (journal, "-journal")] {
            guard SideFile(sibling(ending))?.stamp == side?.stamp else { return nil }
        }
        guard FileStamp(file) == before else { return nil }

        let size = pages.map { $0 * Int64(pageSize) } ?? before.size
        guard size >= 512 else { throw .notADatabase() }
        guard size <= limit else { throw .databaseTooLarge(limit) }
        try copy.resize(size)
        guard try copy.file.read(16, at: 0) == Array(signature) else { throw .notADatabase() }
        // Says "no write-ahead log": SQLite refuses one in a database that it is given as memory.
        try copy.write([1, 1], at: 18)
        return (copy, size)
    }

    private static let signature = "SQLite format 3\0".utf8

    /// The page size by the header. A new database may have all it holds in its log still.
    private static func pageSize(of copy: AnonymousFile, log: SideFile?) throws(Diagnostic) -> Int {
        let header = try copy.file.read(100, at: 0)[...]
        let size: Int
        if header.isEmpty, let log {
            let first = try log.file.read(12, at: 0)[...]
            guard first.count == 12 else { throw .notADatabase() }
            size = Int(first.bigEndian32(at: 8))
        } else {
            guard header.count == 100, header[..<16].elementsEqual(signature) else { throw .notADatabase() }
            let stored = Int(header[16]) << 8 | Int(header[17])
            size = stored == 1 ? 65_536 : stored
        }
        guard (512...65_536).contains(size), size & (size - 1) == 0 else { throw .notADatabase() }
        return size
    }
}
