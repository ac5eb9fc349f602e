internal import Crypto
internal import EscrowDatabase
public import EscrowDiagnostics
internal import EscrowJSON
internal import EscrowShareWire
internal import FoundationEssentials

/// A share server without its network: requests in, answers out, a SQLite file. It is told the time, in milliseconds. A share
/// is in no answer from its time on, and in no file from the next ``sweep(at:)`` on.
public final class ShareService {
    private let database: Database
    private let limits: ShareLimits
    private var allowance: Allowance
    /// Which database this is.
    private let store: String
    /// When the first share must go; nil when there is none.
    public private(set) var due: Int64?

    public init(_ path: String, limits: ShareLimits = ShareLimits()) throws(Diagnostic) {
        self.limits = limits
        allowance = Allowance(rate: limits.rate, burst: limits.burst)
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
                CREATE INDEX IF NOT EXISTS share_expires ON share(expires);
                INSERT INTO store SELECT lower(hex(randomblob(16))) WHERE NOT EXISTS (SELECT 1 FROM store);
                """, isDurable: false)
        store = try database.rows("SELECT name FROM store") { $0.text(0) }.first ?? ""
        try lookForNext()
    }

    /// How many bytes of a request's body are taken: none of a stranger's beyond what begins a group.
    public func bodyLimit(_ request: ShareRequest) throws(Diagnostic) -> Int {
        guard let route = Route(request) else { return 0 }
        switch route {
        case .begin, .admit: return 1024
        case .take(let group, _): return try node(of: request.key, in: group) == nil ? 0 : limits.shareBytes
        case .end, .expel, .list: return 0
        }
    }

    public func answer(_ request: ShareRequest, at now: Int64) throws(Diagnostic) -> ShareAnswer {
        guard let route = Route(request) else { return ShareAnswer(status: 404) }
        guard let group = route.group else { return try begin(request, at: now) }
        // Whether there is such a group is not a stranger's to know.
        let node: String?
        if route.needsMaster {
            node = try isMaster(request.key, of: group) ? "" : nil
        } else {
            node = try self.node(of: request.key, in: group)
        }
        guard let node else { return ShareAnswer(status: 401) }
        guard allowance.take("\(group)/\(node)", at: now) else { return ShareAnswer(status: 429) }
        switch route {
        case .begin: return ShareAnswer(status: 404)
        case .end:
            try database.run("DELETE FROM circle WHERE id = ?", .text(group))
            try database.checkpoint()
            try lookForNext()
            return ShareAnswer(status: 204)
        case .admit: return try admit(request.body, to: group)
        case .expel(_, let node):
            try database.run("DELETE FROM user WHERE circle = ? AND node = ?", .text(group), .text(node))
            return ShareAnswer(status: 204)
        case .take(_, let message):
            return try take(request.body, message, of: node, in: group, at: now)
        case .list(_, let after): return try list(group, after: after, for: node, at: now)
        }
    }

    /// Deletes what is due, from the file and from SQLite's log.
    public func sweep(at now: Int64) throws(Diagnostic) {
        guard let due, due <= now else { return }
        try database.run("DELETE FROM share WHERE expires <= ?", .integer(now))
        try database.checkpoint()
        try lookForNext()
    }

    private func lookForNext() throws(Diagnostic) {
        due = try database.rows("SELECT expires FROM share ORDER BY expires LIMIT 1") { $0.integer(0) }.first
    }

    // MARK: Groups and members

    private func begin(_ request: ShareRequest, at now: Int64) throws(Diagnostic) -> ShareAnswer {
        guard allowance.take("", at: now) else { return ShareAnswer(status: 429) }
        guard let opening = try? Opening(request.body), ShareName.isPart(opening.group),
            ShareName.isPart(opening.node), limits.timeToLive.contains(opening.timeToLive)
        else { return ShareAnswer(status: 400) }
        guard try database.number("SELECT count(*) FROM circle") < limits.groups else {
            return ShareAnswer(status: 507)
        }
        let keys = AccessKeys(access: Self.newKey(), master: Self.newKey())
        return try database.transaction { () throws(Diagnostic) in
            let isNew = try database.run(
                "INSERT OR IGNORE INTO circle(id, owner, time_to_live, master) VALUES (?, ?, ?, ?)",
                .text(opening.group), .text(opening.node),
                .integer(opening.timeToLive), .bytes(Self.digest(keys.master ?? "")))
            guard isNew == 1 else { return ShareAnswer(status: 409) }
            try database.run(
                "INSERT INTO user VALUES (?, ?, ?)", .text(opening.group), .text(opening.node),
                .bytes(Self.digest(keys.access)))
            return ShareAnswer(status: 201, body: keys.bytes)
        }
    }

    /// A node that is there already gets a new key, and loses the old one.
    private func admit(_ body: [UInt8], to group: String) throws(Diagnostic) -> ShareAnswer {
        let node = String(decoding: body, as: UTF8.self)
        guard ShareName.isPart(node) else { return ShareAnswer(status: 400) }
        guard try database.number("SELECT count(*) FROM user WHERE circle = ?", .text(group)) < limits.members
        else {
            return ShareAnswer(status: 507)
        }
        let keys = AccessKeys(access: Self.newKey())
        try database.run(
            "INSERT OR REPLACE INTO user VALUES (?, ?, ?)", .text(group), .text(node),
            .bytes(Self.digest(keys.access)))
        return ShareAnswer(status: 201, body: keys.bytes)
    }

    private func isMaster(_ key: String?, of group: String) throws(Diagnostic) -> Bool {
        guard let key else { return false }
        return try database.number(
            "SELECT count(*) FROM circle WHERE id = ? AND master = ?", .text(group), .bytes(Self.digest(key)))
            == 1
    }

    private func node(of key: String?, in group: String) throws(Diagnostic) -> String? {
        guard let key else { return nil }
        return try database.rows(
            "SELECT node FROM user WHERE circle = ? AND access = ?", .text(group), .bytes(Self.digest(key))
        ) { $0.text(0) }.first
    }

    /// What is kept of a key: enough to know it again.
    private static func digest(_ key: String) -> [UInt8] { Array(SHA256.hash(data: Array(key.utf8))) }

    private static func newKey() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { Base64.encode(Array($0)) }
    }

    // MARK: Shares

    /// The same share once more is taken once; another one under its name is not.
    private func take(_ bytes: [UInt8], _ message: String, of node: String, in group: String, at now: Int64)
        throws(Diagnostic) -> ShareAnswer
    {
        guard !bytes.isEmpty else { return ShareAnswer(status: 400) }
        guard bytes.count <= limits.shareBytes else { return ShareAnswer(status: 413) }
        let before = try database.rows(
            "SELECT bytes FROM share WHERE circle = ? AND node = ? AND message = ?", .text(group),
            .text(node),
            .text(message)
        ) { $0.bytes(0) }.first
        if let before { return ShareAnswer(status: before == bytes ? 200 : 409) }
        let held = try database.number("SELECT held FROM circle WHERE id = ?", .text(group))
        guard held + Int64(bytes.count) <= limits.groupBytes else { return ShareAnswer(status: 507) }
        let expires =
            now + (try database.number("SELECT time_to_live FROM circle WHERE id = ?", .text(group)))
        try database.run(
            "INSERT INTO share(circle, message, node, uploaded, expires, bytes) VALUES (?, ?, ?, ?, ?, ?)",
            .text(group), .text(message), .text(node), .integer(now), .integer(expires), .bytes(bytes))
        due = min(due ?? expires, expires)
        return ShareAnswer(status: 201)
    }

    /// Shares of others that are not due, in the order in which they came.
    private func list(_ group: String, after: Int64, for node: String, at now: Int64) throws(Diagnostic)
        -> ShareAnswer
    {
        var next = after
        var held = 0
        let sizes = try database.rows(
            """
            SELECT number, length(bytes) FROM share WHERE circle = ? AND number > ? AND node <> ? AND expires > ?
            ORDER BY number LIMIT 4096
            """, .text(group), .integer(after), .text(node), .integer(now)
        ) { (number: $0.integer(0), size: Int($0.integer(1))) }
        for row in sizes {
            guard held == 0 || held + row.size <= limits.listingBytes else { break }
            held += row.size
            next = row.number
        }
        let entries = try database.rows(
            """
            SELECT node || '.' || message, bytes FROM share
            WHERE circle = ? AND number > ? AND number <= ? AND node <> ? AND expires > ? ORDER BY number
            """, .text(group), .integer(after), .integer(next), .text(node), .integer(now)
        ) { ShareListing.Entry(message: $0.text(0), bytes: $0.bytes(1)) }
        return ShareAnswer(
            status: 200, body: ShareListing(store: store, next: next, entries: entries).bytes)
    }
}
