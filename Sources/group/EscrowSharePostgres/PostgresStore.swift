internal import Crypto
public import EscrowDiagnostics
public import EscrowShareService
internal import FoundationEssentials

/// Shares in a PostgreSQL database, which many share servers may have in common: each of them keeps nothing itself.
///
/// PostgreSQL overwrites nothing: what is deleted stays in its files and its log. So a share lies there sealed under a key of its
/// own (ChaCha20-Poly1305). The keys are in a table without a log, and after each deletion that table is written anew into another
/// file: the old one, with the keys that went, is gone. Who stops PostgreSQL hard empties that table; the group sends again.
public final class PostgresStore: ShareStore {
    private let connection: Connection
    public let name: String
    /// What all shares take, and when they were counted.
    private var total: (bytes: Int64, at: Int64)?
    /// Nobody here knows the database's disk: `--total-bytes` says more or less.
    public let capacity: Int64 = 32 << 30

    /// - Parameter words: as libpq takes them, `host=… dbname=…` or a URL.
    public init(_ words: String) throws(Diagnostic) {
        connection = Connection(words)
        // Two servers that start at once make the tables once.
        try connection.execute(
            """
            BEGIN;
            SELECT pg_advisory_xact_lock(\(Self.making));
            CREATE TABLE IF NOT EXISTS share_store(name text NOT NULL);
            CREATE TABLE IF NOT EXISTS share_circle(
                id text PRIMARY KEY, owner text NOT NULL, time_to_live bigint NOT NULL, master bytea NOT NULL
            );
            CREATE TABLE IF NOT EXISTS share_user(
                circle text NOT NULL REFERENCES share_circle ON DELETE CASCADE, node text NOT NULL,
                access bytea NOT NULL, PRIMARY KEY(circle, node)
            );
            CREATE TABLE IF NOT EXISTS share(
                number bigserial PRIMARY KEY, circle text NOT NULL REFERENCES share_circle ON DELETE CASCADE,
                message text NOT NULL, node text NOT NULL, uploaded bigint NOT NULL, expires bigint NOT NULL,
                length bigint NOT NULL, sealed bytea NOT NULL, UNIQUE(circle, node, message)
            );
            CREATE INDEX IF NOT EXISTS share_expires ON share(expires);
            CREATE UNLOGGED TABLE IF NOT EXISTS share_key(number bigint PRIMARY KEY, key bytea NOT NULL);
            CREATE TABLE IF NOT EXISTS share_seen(
                circle text PRIMARY KEY REFERENCES share_circle ON DELETE CASCADE, at bigint NOT NULL
            );
            CREATE TABLE IF NOT EXISTS share_awake(at bigint NOT NULL);
            INSERT INTO share_store SELECT replace(gen_random_uuid()::text, '-', '')
                WHERE NOT EXISTS (SELECT 1 FROM share_store);
            COMMIT;
            """)
        name = try connection.rows("SELECT name FROM share_store").first?[0].text ?? ""
    }

    private static let making = 0x4553_4831
    private static let sweeping = 0x4553_4832

    // MARK: Groups and members

    public func groups() throws(Diagnostic) -> Int64 {
        try connection.rows("SELECT count(*) FROM share_circle").first?[0].integer ?? 0
    }

    public func begin(_ group: String, owner: String, timeToLive: Int64, master: [UInt8], access: [UInt8])
        throws(Diagnostic) -> Bool
    {
        try connection.transaction { () throws(Diagnostic) in
            let new = try connection.rows(
                "INSERT INTO share_circle VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING 1",
                .text(group), .text(owner), .integer(timeToLive), .bytes(master))
            if !new.isEmpty { try admit(owner, to: group, access: access) }
            return !new.isEmpty
        }
    }

    public func end(_ group: String) throws(Diagnostic) {
        try connection.transaction { () throws(Diagnostic) in try remove(group) }
        try forgetKeys()
    }

    private func remove(_ group: String) throws(Diagnostic) {
        try connection.rows(
            "DELETE FROM share_key WHERE number IN (SELECT number FROM share WHERE circle = $1)",
            .text(group))
        try connection.rows("DELETE FROM share_circle WHERE id = $1", .text(group))
    }

    public func use(_ group: String, at now: Int64) throws(Diagnostic) {
        try connection.rows(
            "INSERT INTO share_seen VALUES ($1, $2) ON CONFLICT (circle) DO UPDATE SET at = excluded.at",
            .text(group), .integer(now))
    }

    public func letGo(at now: Int64, least: Int64) throws(Diagnostic) {
        try alone { () throws(Diagnostic) in
            let unused = try connection.transaction { () throws(Diagnostic) -> [String] in
                let groups = try self.unused(at: now, least: least)
                for group in groups { try remove(group) }
                return groups
            }
            if !unused.isEmpty { try forgetKeys() }
        }
    }

    private func unused(at now: Int64, least: Int64) throws(Diagnostic) -> [String] {
        // Those of the version before count from now on.
        try connection.rows(
            "INSERT INTO share_seen SELECT id, $1::bigint FROM share_circle ON CONFLICT DO NOTHING",
            .integer(now))
        // While no server was there nobody could ask one; and a clock that was put forward is no time that went by.
        if let awake = try connection.rows("SELECT at FROM share_awake").first?[0].integer,
            now - awake >= least
        {
            try connection.rows("UPDATE share_seen SET at = at + $1", .integer(now - awake))
        }
        try connection.rows("UPDATE share_seen SET at = $1 WHERE at > $1", .integer(now))
        try connection.rows("DELETE FROM share_awake")
        try connection.rows("INSERT INTO share_awake VALUES ($1)", .integer(now))
        return try connection.rows(
            """
            SELECT id FROM share_circle JOIN share_seen ON circle = id
            WHERE at + greatest(time_to_live, $2::bigint) <= $1::bigint
            """, .integer(now), .integer(least)
        ).compactMap { $0[0].text }
    }

    public func members(of group: String) throws(Diagnostic) -> Int64 {
        try connection.rows("SELECT count(*) FROM share_user WHERE circle = $1", .text(group)).first?[0]
            .integer ?? 0
    }

    public func admit(_ node: String, to group: String, access: [UInt8]) throws(Diagnostic) {
        try connection.rows(
            """
            INSERT INTO share_user VALUES ($1, $2, $3)
            ON CONFLICT (circle, node) DO UPDATE SET access = excluded.access
            """, .text(group), .text(node), .bytes(access))
    }

    public func expel(_ node: String, from group: String) throws(Diagnostic) {
        let isToForget = try connection.transaction { () throws(Diagnostic) -> Bool in
            // As with a share that comes: one at a time in a group, so that none comes in between.
            try connection.rows("SELECT 1 FROM share_circle WHERE id = $1 FOR UPDATE", .text(group))
            try connection.rows(
                "DELETE FROM share_user WHERE circle = $1 AND node = $2", .text(group), .text(node))
            try connection.rows(
                """
                DELETE FROM share_key WHERE number IN (SELECT number FROM share WHERE circle = $1 AND node = $2)
                """, .text(group), .text(node))
            return try !connection.rows(
                "DELETE FROM share WHERE circle = $1 AND node = $2 RETURNING 1", .text(group), .text(node)
            ).isEmpty
        }
        if isToForget { try forgetKeys() }
    }

    public func isMaster(_ key: [UInt8], of group: String) throws(Diagnostic) -> Bool {
        try !connection.rows(
            "SELECT 1 FROM share_circle WHERE id = $1 AND master = $2", .text(group), .bytes(key)
        ).isEmpty
    }

    public func node(of key: [UInt8], in group: String) throws(Diagnostic) -> String? {
        try connection.rows(
            "SELECT node FROM share_user WHERE circle = $1 AND access = $2", .text(group), .bytes(key)
        ).first?[0].text
    }

    // MARK: Shares

    public func put(_ share: NewShare, atMost quota: ShareQuota) throws(Diagnostic) -> PutOutcome {
        let key = SymmetricKey(size: .bits256)
        guard let sealed = try? ChaChaPoly.seal(share.bytes, using: key).combined else {
            throw Diagnostic(.ownFault, "a share cannot be sealed")
        }
        let taken = try taken(at: share.at)
        let outcome = try connection.transaction { () throws(Diagnostic) -> PutOutcome in
            // One at a time in a group: a lower number never shows up after a higher one was listed.
            let circle = try connection.rows(
                "SELECT time_to_live, owner = $2 FROM share_circle WHERE id = $1 FOR UPDATE",
                .text(share.group), .text(share.node))
            guard let circle = circle.first else { return .full }
            let timeToLive = circle[0].integer
            if let before = try connection.rows(
                """
                SELECT sealed, key FROM share LEFT JOIN share_key USING (number)
                WHERE circle = $1 AND node = $2 AND message = $3
                """, .text(share.group), .text(share.node), .text(share.message)
            ).first {
                return Self.open(before[0].bytes, before[1].bytes) == share.bytes ? .there : .taken
            }
            guard try hasRoom(for: share, quota, isOwner: circle[1].text == "t", taken) else { return .full }
            let number =
                try connection.rows(
                    """
                    INSERT INTO share(circle, message, node, uploaded, expires, length, sealed)
                    VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING number
                    """, .text(share.group), .text(share.message), .text(share.node), .integer(share.at),
                    .integer(share.at + timeToLive), .integer(Int64(share.bytes.count)),
                    .bytes(Array(sealed))
                ).first?[0].integer ?? 0
            try connection.rows(
                "INSERT INTO share_key VALUES ($1, $2)", .integer(number),
                .bytes(key.withUnsafeBytes { Array($0) }))
            return .kept
        }
        if outcome == .kept { total?.bytes += Int64(share.bytes.count) + ShareQuota.beside }
        return outcome
    }

    private func hasRoom(for share: NewShare, _ quota: ShareQuota, isOwner: Bool, _ taken: Int64)
        throws(Diagnostic) -> Bool
    {
        let sums = try connection.rows(
            """
            SELECT sum(length), count(*), sum(length) FILTER (WHERE node = $2), count(*) FILTER (WHERE node = $2)
            FROM share WHERE circle = $1
            """, .text(share.group), .text(share.node)
        ).first
        let members = try connection.rows(
            "SELECT count(*), count(*) FILTER (WHERE node = $2) FROM share_user WHERE circle = $1",
            .text(share.group), .text(share.node)
        ).first
        // Another server may have removed the member since its key was looked up.
        guard let sums, let members, members[1].integer == 1 else { return false }
        return quota.hasRoom(
            for: share.bytes.count, isOwner: isOwner, members: members[0].integer,
            group: Held(bytes: sums[0].integer, shares: sums[1].integer),
            own: Held(bytes: sums[2].integer, shares: sums[3].integer), total: taken)
    }

    /// What all shares take. To count them takes long where there are many: once a minute, and what this server puts comes on top.
    private func taken(at now: Int64) throws(Diagnostic) -> Int64 {
        if let total, abs(now - total.at) < 60_000 { return total.bytes }
        let bytes =
            try connection.rows(
                "SELECT coalesce(sum(length + $1::bigint), 0) FROM share", .integer(ShareQuota.beside)
            ).first?[0].integer ?? 0
        total = (bytes, now)
        return bytes
    }

    public func shares(
        of group: String, after number: Int64, for node: String, at now: Int64, atMost bytes: Int
    ) throws(Diagnostic) -> (next: Int64, entries: [KeptShare]) {
        let rows = try connection.rows(
            """
            SELECT number, node || '.' || message, sealed, key FROM (
                SELECT *, sum(length) OVER (ORDER BY number) AS total, row_number() OVER (ORDER BY number) AS place
                FROM share WHERE circle = $1 AND number > $2 AND node <> $3 AND expires > $4
                ORDER BY number LIMIT 4096
            ) AS found LEFT JOIN share_key USING (number) WHERE total <= $5 OR place = 1 ORDER BY number
            """, .text(group), .integer(number), .text(node), .integer(now), .integer(Int64(bytes)))
        // One whose key is gone is gone.
        let entries = rows.compactMap { row in
            Self.open(row[2].bytes, row[3].bytes).map { KeptShare(message: row[1].text ?? "", bytes: $0) }
        }
        return (rows.last?[0].integer ?? number, entries)
    }

    private static func open(_ sealed: [UInt8], _ key: [UInt8]) -> [UInt8]? {
        guard key.count == 32, let box = try? ChaChaPoly.SealedBox(combined: sealed) else { return nil }
        return (try? ChaChaPoly.open(box, using: SymmetricKey(data: key))).map(Array.init)
    }

    public func sweep(at now: Int64) throws(Diagnostic) {
        guard try !connection.rows("SELECT 1 FROM share WHERE expires <= $1 LIMIT 1", .integer(now)).isEmpty
        else { return }
        try alone { () throws(Diagnostic) in
            try connection.transaction { () throws(Diagnostic) in
                try connection.rows(
                    "DELETE FROM share_key WHERE number IN (SELECT number FROM share WHERE expires <= $1)",
                    .integer(now))
                try connection.rows("DELETE FROM share WHERE expires <= $1", .integer(now))
            }
            try forgetKeys()
        }
    }

    /// One server at a time; who comes second finds nothing.
    private func alone(_ body: () throws(Diagnostic) -> Void) throws(Diagnostic) {
        guard try connection.rows("SELECT pg_try_advisory_lock(\(Self.sweeping))").first?[0].text == "t"
        else {
            return
        }
        defer { _ = try? connection.rows("SELECT pg_advisory_unlock(\(Self.sweeping))") }
        try body()
    }

    /// Writes the keys that are left into another file, and takes the old one away.
    private func forgetKeys() throws(Diagnostic) {
        total = nil
        try connection.execute("VACUUM (FULL) share_key")
    }
}
