internal import EscrowDatabase
public import EscrowDiagnostics

/// Shares in a SQLite file. A share is in no file from the next ``sweep(at:)`` after its time on.
public final class FileStore: ShareStore {
    private let database: Database
    public let name: String
    /// When the first share must go; nil when there is none.
    public private(set) var due: Int64?

    public init(_ path: String) throws(Diagnostic) {
        database = try Database(
            path,
            schema: """
                CREATE TABLE IF NOT EXISTS store(name TEXT NOT NULL);
                CREATE TABLE IF NOT EXISTS circle(
                    id TEXT PRIMARY KEY, owner TEXT NOT NULL, time_to_live INTEGER NOT NULL, master BLOB NOT NULL,
                    held INTEGER NOT NULL DEFAULT 0
                ) WITHOUT ROWID;
                CREATE TABLE IF NOT EXISTS user(
                    circle TEXT NOT NULL REFERENCES circle ON DELETE CASCADE, node TEXT NOT NULL, access BLOB NOT NULL,
                    PRIMARY KEY(circle, node)
                ) WITHOUT ROWID;
                CREATE TABLE IF NOT EXISTS share(
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    circle TEXT NOT NULL REFERENCES circle ON DELETE CASCADE,
                    message TEXT NOT NULL, node TEXT NOT NULL, uploaded INTEGER NOT NULL, expires INTEGER NOT NULL,
                    bytes BLOB NOT NULL, UNIQUE(circle, node, message)
                );
                CREATE TRIGGER IF NOT EXISTS share_taken AFTER INSERT ON share BEGIN
                    UPDATE circle SET held = held + length(new.bytes) WHERE id = new.circle;
                END;
                CREATE TRIGGER IF NOT EXISTS share_gone AFTER DELETE ON share BEGIN
                    UPDATE circle SET held = held - length(old.bytes) WHERE id = old.circle;
                END;
                CREATE TABLE IF NOT EXISTS blank(number INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
                CREATE INDEX IF NOT EXISTS share_expires ON share(expires);
                INSERT INTO store SELECT lower(hex(randomblob(16))) WHERE NOT EXISTS (SELECT 1 FROM store);
                """, isDurable: false)
        name = try database.rows("SELECT name FROM store") { $0.text(0) }.first ?? ""
        try lookForNext()
    }

    public func sweep(at now: Int64) throws(Diagnostic) {
        guard let due, due <= now else { return }
        try database.run("DELETE FROM share WHERE expires <= ?", .integer(now))
        try forget()
    }

    /// After shares were deleted: nothing of them in SQLite's log, nor in its memory. It makes a row ready in a buffer that it keeps,
    /// so a row of zeros that fills a page goes through that buffer.
    private func forget() throws(Diagnostic) {
        try database.execute("INSERT INTO blank(bytes) VALUES (zeroblob(4040)); DELETE FROM blank")
        try database.checkpoint()
        try lookForNext()
    }

    private func lookForNext() throws(Diagnostic) {
        due = try database.rows("SELECT expires FROM share ORDER BY expires LIMIT 1") { $0.integer(0) }.first
    }

    // MARK: Groups and members

    public func groups() throws(Diagnostic) -> Int64 { try database.number("SELECT count(*) FROM circle") }

    public func begin(_ group: String, owner: String, timeToLive: Int64, master: [UInt8], access: [UInt8])
        throws(Diagnostic) -> Bool
    {
        try database.transaction { () throws(Diagnostic) in
            let isNew = try database.run(
                "INSERT OR IGNORE INTO circle(id, owner, time_to_live, master) VALUES (?, ?, ?, ?)",
                .text(group), .text(owner), .integer(timeToLive), .bytes(master))
            if isNew == 1 { try admit(owner, to: group, access: access) }
            return isNew == 1
        }
    }

    public func end(_ group: String) throws(Diagnostic) {
        try database.run("DELETE FROM circle WHERE id = ?", .text(group))
        try forget()
    }

    public func members(of group: String) throws(Diagnostic) -> Int64 {
        try database.number("SELECT count(*) FROM user WHERE circle = ?", .text(group))
    }

    public func admit(_ node: String, to group: String, access: [UInt8]) throws(Diagnostic) {
        try database.run(
            "INSERT OR REPLACE INTO user VALUES (?, ?, ?)", .text(group), .text(node), .bytes(access))
    }

    public func expel(_ node: String, from group: String) throws(Diagnostic) {
        try database.run("DELETE FROM user WHERE circle = ? AND node = ?", .text(group), .text(node))
    }

    public func isMaster(_ key: [UInt8], of group: String) throws(Diagnostic) -> Bool {
        try database.number(
            "SELECT count(*) FROM circle WHERE id = ? AND master = ?", .text(group), .bytes(key)) == 1
    }

    public func node(of key: [UInt8], in group: String) throws(Diagnostic) -> String? {
        try database.rows(
            "SELECT node FROM user WHERE circle = ? AND access = ?", .text(group), .bytes(key)
        ) { $0.text(0) }.first
    }

    // MARK: Shares

    public func put(_ share: NewShare, atMost groupBytes: Int64) throws(Diagnostic) -> PutOutcome {
        let before = try database.rows(
            "SELECT bytes FROM share WHERE circle = ? AND node = ? AND message = ?", .text(share.group),
            .text(share.node), .text(share.message)
        ) { $0.bytes(0) }.first
        if let before { return before == share.bytes ? .there : .taken }
        let held = try database.number("SELECT held FROM circle WHERE id = ?", .text(share.group))
        guard held + Int64(share.bytes.count) <= groupBytes else { return .full }
        let expires =
            share.at
            + (try database.number("SELECT time_to_live FROM circle WHERE id = ?", .text(share.group)))
        try database.run(
            "INSERT INTO share(circle, message, node, uploaded, expires, bytes) VALUES (?, ?, ?, ?, ?, ?)",
            .text(share.group), .text(share.message), .text(share.node), .integer(share.at),
            .integer(expires), .bytes(share.bytes))
        due = min(due ?? expires, expires)
        return .kept
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
