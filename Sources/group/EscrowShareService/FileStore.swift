internal import EscrowDatabase
public import EscrowDiagnostics

/// Shares in a SQLite file. A share is in no file from the next ``sweep(at:)`` after its time on.
public final class FileStore: ShareStore {
    let database: Database
    public let name: String
    /// When the first share must go; nil when there is none.
    public internal(set) var due: Int64?
    /// What all shares take, each with what is beside it.
    var held: Int64 = 0
    let reserve: Reserve
    /// How much the disk has left. Tests have another one.
    var room: () -> Int64
    private let path: String
    /// Whether there is so little room that deleting goes by the smallest steps.
    private var isTight = false

    /// - Parameter reserve: how much of the disk is held for deleting when nothing else is left; 0 for none.
    public init(_ path: String, reserve bytes: Int = 0) throws(Diagnostic) {
        self.path = path
        room = { Disk.room(at: path) }
        reserve = Reserve(path + "-reserve", bytes)
        database = try Self.open(path, reserve)
        name = try database.rows("SELECT name FROM store") { $0.text(0) }.first ?? ""
        held = try database.number(
            "SELECT coalesce(sum(bytes) + ? * sum(shares), 0) FROM holding", .integer(ShareQuota.beside))
        let longest = try database.number("SELECT coalesce(max(length(bytes)), 0) FROM share")
        _ = reserve.hold(for: Int(longest))
        try lookForNext()
    }

    /// SQLite writes beside a file when it opens it: where there is no room for that, the reserve has it.
    private static func open(_ path: String, _ reserve: Reserve) throws(Diagnostic) -> Database {
        do { return try Database(path, schema: schema, isDurable: false) } catch {
            reserve.free()
            return try Database(path, schema: schema, isDurable: false)
        }
    }

    /// Half of what the disk has for it: the log is as long as the longest share at times, and others write there, too.
    public private(set) lazy var capacity: Int64 = {
        let room = room()
        return room == .max ? .max : room / 2 + Disk.length(of: path) / 2
    }()

    public func sweep(at now: Int64) throws(Diagnostic) {
        reserve.hold()
        guard let due, due <= now else { return }
        try inAnyCase { () throws(Diagnostic) in
            try delete { () throws(Diagnostic) in
                try database.rows(
                    "SELECT number, length(bytes) FROM share WHERE expires <= ? LIMIT 1024", .integer(now),
                    read: Piece.init)
            }
            try forget()
        }
    }

    /// Does it once more in the room of the reserve where the disk has none.
    func inAnyCase<Result>(_ body: () throws(Diagnostic) -> Result) throws(Diagnostic) -> Result {
        do { return try body() } catch {
            reserve.free()
            isTight = true
            defer {
                isTight = false
                reserve.hold()
            }
            // What is in the log goes into the file first, and the log's room is there to delete in.
            try? database.checkpoint()
            return try body()
        }
    }

    /// A share that is to be deleted.
    struct Piece {
        let number: Int64
        let size: Int64

        init(_ row: Row) {
            number = row.integer(0)
            size = row.integer(1)
        }
    }

    /// Deletes what is found until nothing is, a few at a time: what SQLite overwrites lies in its log until a transaction ends.
    func delete(_ found: () throws(Diagnostic) -> [Piece]) throws(Diagnostic) {
        while true {
            let pieces = try found()
            guard !pieces.isEmpty else { return }
            let most: Int64 = isTight ? 1 << 19 : 1 << 22
            let freed = try database.transaction { () throws(Diagnostic) in
                // Pages of a row and of its places in the indexes are written whole.
                let pages: Int64 = 1 << 14
                var (written, freed): (Int64, Int64) = (0, 0)
                for piece in pieces {
                    guard written < most else { break }
                    try database.run("DELETE FROM share WHERE number = ?", .integer(piece.number))
                    written += piece.size + pages
                    freed += piece.size + ShareQuota.beside
                }
                return freed
            }
            held -= freed
            if isTight { try database.checkpoint() }
        }
    }

    /// After shares were deleted: nothing of them in SQLite's log, nor in its memory. It makes a row ready in a buffer that it keeps,
    /// so a row of zeros that fills a page goes through that buffer.
    func forget() throws(Diagnostic) {
        try database.execute("INSERT INTO blank(bytes) VALUES (zeroblob(4040)); DELETE FROM blank")
        try database.checkpoint()
        try lookForNext()
    }

    private func lookForNext() throws(Diagnostic) {
        due = try database.rows("SELECT expires FROM share ORDER BY expires LIMIT 1") { $0.integer(0) }.first
    }

    // MARK: Shares

    public func put(_ share: NewShare, atMost quota: ShareQuota) throws(Diagnostic) -> PutOutcome {
        let before = try database.rows(
            "SELECT bytes FROM share WHERE circle = ? AND node = ? AND message = ?", .text(share.group),
            .text(share.node), .text(share.message)
        ) { $0.bytes(0) }.first
        if let before { return before == share.bytes ? .there : .taken }
        guard
            let circle = try database.rows(
                "SELECT owner, time_to_live FROM circle WHERE id = ?", .text(share.group),
                read: { (owner: $0.text(0), timeToLive: $0.integer(1)) }
            ).first, try hasRoom(for: share, quota, isOwner: circle.owner == share.node)
        else { return .full }
        let expires = share.at + circle.timeToLive
        try database.run(
            "INSERT INTO share(circle, message, node, uploaded, expires, bytes) VALUES (?, ?, ?, ?, ?, ?)",
            .text(share.group), .text(share.message), .text(share.node), .integer(share.at),
            .integer(expires), .bytes(share.bytes))
        held += Int64(share.bytes.count) + ShareQuota.beside
        due = min(due ?? expires, expires)
        return .kept
    }

    private func hasRoom(for share: NewShare, _ quota: ShareQuota, isOwner: Bool) throws(Diagnostic) -> Bool {
        let found = try database.rows(
            """
            SELECT sum(bytes), sum(shares), sum(bytes * (node = ?2)), sum(shares * (node = ?2))
            FROM holding WHERE circle = ?1
            """, .text(share.group), .text(share.node)
        ) {
            (
                group: Held(bytes: $0.integer(0), shares: $0.integer(1)),
                own: Held(bytes: $0.integer(2), shares: $0.integer(3))
            )
        }
        guard let found = found.first else { return false }
        let size = share.bytes.count
        guard
            try quota.hasRoom(
                for: size, isOwner: isOwner, members: members(of: share.group), group: found.group,
                own: found.own, total: held)
        else { return false }
        // It lies in the log and in the file, and in the log once more when it goes.
        return room() >= 3 * Int64(size) + 2 << 20 && reserve.hold(for: size)
    }

    public func shares(
        of group: String, after number: Int64, for node: String, at now: Int64, atMost bytes: Int
    ) throws(Diagnostic) -> (next: Int64, entries: [KeptShare]) {
        var next = number
        var held = 0
        let sizes = try database.rows(
            """
            SELECT number, length(bytes) FROM share WHERE circle = ? AND number > ? AND node <> ? AND expires > ?
            ORDER BY number LIMIT 4096
            """, .text(group), .integer(number), .text(node), .integer(now)
        ) { (number: $0.integer(0), size: Int($0.integer(1))) }
        for row in sizes {
            guard held == 0 || held + row.size <= bytes else { break }
            held += row.size
            next = row.number
        }
        let entries = try database.rows(
            """
            SELECT node || '.' || message, bytes FROM share
            WHERE circle = ? AND number > ? AND number <= ? AND node <> ? AND expires > ? ORDER BY number
            """, .text(group), .integer(number), .integer(next), .text(node), .integer(now)
        ) { KeptShare(message: $0.text(0), bytes: $0.bytes(1)) }
        return (next, entries)
    }
}
