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
        try connection.transaction { () throws(Diagnostic) in
            try connection.rows(
                "DELETE FROM share_key WHERE number IN (SELECT number FROM share WHERE circle = $1)",
                .text(group))
            try connection.rows("DELETE FROM share_circle WHERE id = $1", .text(group))
        }
        try forgetKeys()
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
        try connection.rows(
            "DELETE FROM share_user WHERE circle = $1 AND node = $2", .text(group), .text(node))
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

    public func put(_ share: NewShare, atMost groupBytes: Int64) throws(Diagnostic) -> PutOutcome {
        let key = SymmetricKey(size: .bits256)
        guard let sealed = try? ChaChaPoly.seal(share.bytes, using: key).combined else {
            throw Diagnostic(.ownFault, "a share cannot be sealed")
        }
        return try connection.transaction { () throws(Diagnostic) in
            // One at a time in a group: a lower number never shows up after a higher one was listed.
            let circle = try connection.rows(
                "SELECT time_to_live FROM share_circle WHERE id = $1 FOR UPDATE", .text(share.group))
            guard let timeToLive = circle.first?[0].integer else { return .full }
            if let before = try connection.rows(
                """
                SELECT sealed, key FROM share LEFT JOIN share_key USING (number)
                WHERE circle = $1 AND node = $2 AND message = $3
                """, .text(share.group), .text(share.node), .text(share.message)
            ).first {
                return Self.open(before[0].bytes, before[1].bytes) == share.bytes ? .there : .taken
            }
            let held =
                try connection.rows(
                    "SELECT coalesce(sum(length), 0) FROM share WHERE circle = $1", .text(share.group)
                ).first?[0].integer ?? 0
            guard held + Int64(share.bytes.count) <= groupBytes else { return .full }
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
        // One server at a time; who comes second finds nothing.
        guard try connection.rows("SELECT pg_try_advisory_lock(\(Self.sweeping))").first?[0].text == "t"
        else {
            return
        }
        defer { _ = try? connection.rows("SELECT pg_advisory_unlock(\(Self.sweeping))") }
        try connection.transaction { () throws(Diagnostic) in
            try connection.rows(
                "DELETE FROM share_key WHERE number IN (SELECT number FROM share WHERE expires <= $1)",
                .integer(now))
            try connection.rows("DELETE FROM share WHERE expires <= $1", .integer(now))
        }
        try forgetKeys()
    }

    /// Writes the keys that are left into another file, and takes the old one away.
    private func forgetKeys() throws(Diagnostic) { try connection.execute("VACUUM (FULL) share_key") }
}
