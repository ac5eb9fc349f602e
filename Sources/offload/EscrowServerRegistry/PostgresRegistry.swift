public import EscrowDiagnostics
import Synchronization

/// The registry of several servers, in a PostgreSQL database. What one registers or revokes holds for all from the next run on.
public final class PostgresRegistry: Registry {
    private let connection: Mutex<PostgresConnection>

    /// One after the other: two servers that begin together would otherwise make the same table at once.
    private static let schema = [
        "BEGIN", "SELECT pg_advisory_xact_lock(716201)",
        """
        CREATE TABLE IF NOT EXISTS escrow_plugins(
          manifest TEXT PRIMARY KEY, id TEXT NOT NULL, version TEXT NOT NULL, sequence BIGINT NOT NULL,
          revoked BOOLEAN NOT NULL DEFAULT FALSE, package BYTEA)
        """,
        "CREATE INDEX IF NOT EXISTS escrow_plugins_by_id ON escrow_plugins(id)",
        """
        CREATE TABLE IF NOT EXISTS escrow_devices(
          fingerprint TEXT PRIMARY KEY, name TEXT NOT NULL, revoked BOOLEAN NOT NULL DEFAULT FALSE)
        """, "COMMIT",
    ]

    /// - Parameter words: libpq's.
    public init(_ words: String) throws(Diagnostic) {
        let connection = try PostgresConnection(words)
        let isMade = try connection.rows("SELECT to_regclass('escrow_devices') IS NOT NULL") == [["t"]]
        if !isMade { for statement in Self.schema { try connection.change(statement) } }
        self.connection = Mutex(connection)
    }

    public func plugins(_ id: String) throws(Diagnostic) -> [RegisteredPlugin] {
        try use { (connection) throws(Diagnostic) in
            try connection.rows(
                "SELECT id, version, manifest, sequence, revoked FROM escrow_plugins WHERE id=$1 ORDER BY sequence",
                .text(id)
            ).map(Self.plugin)
        }
    }

    public func plugins() throws(Diagnostic) -> [RegisteredPlugin] {
        try use { (connection) throws(Diagnostic) in
            try connection.rows(
                "SELECT id, version, manifest, sequence, revoked FROM escrow_plugins ORDER BY id COLLATE \"C\", sequence"
            ).map(Self.plugin)
        }
    }

    public func package(_ manifest: String) throws(Diagnostic) -> [UInt8]? {
        try use { (connection) throws(Diagnostic) in
            try connection.bytes(
                "SELECT package FROM escrow_plugins WHERE manifest=$1 AND package IS NOT NULL",
                .text(manifest))
        }
    }

    public func register(_ plugin: RegisteredPlugin, package: [UInt8]) throws(Diagnostic) {
        try use { (connection) throws(Diagnostic) in
            _ = try connection.change(
                """
                INSERT INTO escrow_plugins(manifest, id, version, sequence, package) VALUES($1, $2, $3, $4, $5)
                ON CONFLICT(manifest) DO UPDATE SET package=excluded.package
                """, .text(plugin.manifest), .text(plugin.id), .text(plugin.version),
                .integer(plugin.sequence), .bytes(package))
        }
    }

    public func remove(_ id: String) throws(Diagnostic) -> Int {
        try use { (connection) throws(Diagnostic) in
            // What was revoked is remembered, and so is the highest sequence.
            try connection.change(
                "UPDATE escrow_plugins SET package=NULL WHERE id=$1 AND package IS NOT NULL", .text(id))
        }
    }

    public func revoke(_ id: String, manifest: String?) throws(Diagnostic) -> Int {
        try use { (connection) throws(Diagnostic) in
            try connection.change(
                "UPDATE escrow_plugins SET revoked=TRUE WHERE id=$1 AND ($2='' OR manifest=$2)", .text(id),
                .text(manifest ?? ""))
        }
    }

    public func device(_ fingerprint: String) throws(Diagnostic) -> RegisteredDevice? {
        try use { (connection) throws(Diagnostic) in
            try connection.rows(
                "SELECT name, fingerprint, revoked FROM escrow_devices WHERE fingerprint=$1",
                .text(fingerprint)
            ).map(Self.device).first
        }
    }

    public func devices() throws(Diagnostic) -> [RegisteredDevice] {
        try use { (connection) throws(Diagnostic) in
            try connection.rows(
                "SELECT name, fingerprint, revoked FROM escrow_devices ORDER BY name COLLATE \"C\""
            ).map(Self.device)
        }
    }

    public func enrol(_ device: RegisteredDevice) throws(Diagnostic) {
        try use { (connection) throws(Diagnostic) in
            _ = try connection.change(
                "INSERT INTO escrow_devices(fingerprint, name) VALUES($1, $2) ON CONFLICT DO NOTHING",
                .text(device.fingerprint), .text(device.name))
        }
    }

    public func revokeDevice(_ name: String) throws(Diagnostic) -> Int {
        try use { (connection) throws(Diagnostic) in
            try connection.change("UPDATE escrow_devices SET revoked=TRUE WHERE name=$1", .text(name))
        }
    }

    private func use<Result: Sendable>(
        _ body: (PostgresConnection) throws(Diagnostic) -> Result
    ) throws(Diagnostic) -> Result {
        try connection.withLock { (connection) throws(Diagnostic) in try body(connection) }
    }

    private static func plugin(_ row: [String]) -> RegisteredPlugin {
        RegisteredPlugin(
            id: row[0], version: row[1], manifest: row[2], sequence: Int64(row[3]) ?? 0,
            isRevoked: row[4] == "t")
    }

    private static func device(_ row: [String]) -> RegisteredDevice {
        RegisteredDevice(name: row[0], fingerprint: row[1], isRevoked: row[2] == "t")
    }
}
