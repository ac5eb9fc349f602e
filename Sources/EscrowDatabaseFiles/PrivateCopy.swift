public import EscrowDiagnostics
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
        for _ in 0..<Self.tries {
            if let (copy, size) = try Self.attempt(file, limit: limit, sibling: sibling) {
                try self.init(mapping: copy, size: size)
                return
            }
        }
        throw .databaseKeepsChanging()
    }

    private init(mapping copy: AnonymousFile, size: Int64) throws(Diagnostic) {
        // Nobody else can cut the file, so reading the mapping cannot fault.
        guard let base = mmap(nil, Int(size), PROT_READ, MAP_PRIVATE, copy.raw, 0), base != MAP_FAILED else {
            throw .noRoomForCopy(errno: errno)
        }
        self.base = base
        self.size = Int(size)
    }

    deinit { munmap(base, size) }

    /// One try; nil if the original changed meanwhile.
    private static func attempt(
        _ file: Int32, limit: Int64, sibling: (String) -> Int32
    ) throws(Diagnostic) -> (AnonymousFile, Int64)? {
        guard let before = FileStamp(file) else { throw .unreadableDatabase(errno: EINVAL) }
        guard before.size <= limit else { throw .databaseTooLarge(limit) }
        let log = open("-wal", sibling)
        let journal = open("-journal", sibling)
        let (logBefore, journalBefore) = (log?.stamp, journal?.stamp)
        let copy = try AnonymousFile(size: before.size)
        try copy.take(file, count: before.size)

        let pageSize = try pageSize(of: copy, log: log)
        var pages: Int64?
        if let log, let logBefore, var reader = try WriteAheadLog(log, pageSize: pageSize) {
            pages = try reader.apply(to: copy, size: logBefore.size, limit: limit)
        } else if let journal, let journalBefore {
            // A transaction that has written into the file is undone. A log and a journal are never there together.
            pages = try RollbackJournal(journal, size: journalBefore.size)
                .playBack(into: copy, pageSize: pageSize)
        }
        guard FileStamp(file) == before, log?.stamp == logBefore, journal?.stamp == journalBefore,
            open("-wal", sibling)?.stamp == logBefore, open("-journal", sibling)?.stamp == journalBefore
        else { return nil }

        let size = pages.map { $0 * Int64(pageSize) } ?? before.size
        guard size >= 512 else { throw .notADatabase() }
        guard size <= limit else { throw .databaseTooLarge(limit) }
        try copy.resize(size)
        guard try SideFile(owning: dup(copy.raw)).read(16, at: 0) == Array(signature) else {
            throw .notADatabase()
        }
        // Says "no write-ahead log": SQLite refuses one in a database that it is given as memory.
        try copy.write([1, 1], at: 18)
        return (copy, size)
    }

    private static let signature = "SQLite format 3\0".utf8

    private static func open(_ ending: String, _ sibling: (String) -> Int32) -> SideFile? {
        let raw = sibling(ending)
        return raw < 0 ? nil : SideFile(owning: raw)
    }

    /// The page size by the header. A new database may have all it holds in its log still.
    private static func pageSize(of copy: AnonymousFile, log: SideFile?) throws(Diagnostic) -> Int {
        let header = try SideFile(owning: dup(copy.raw)).read(100, at: 0)[...]
        let size: Int
        if header.isEmpty, let log {
            let first = try log.read(12, at: 0)[...]
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
