import EscrowDatabase
public import EscrowDiagnostics
import Synchronization

/// The registry of one server, in a file of its own.
public final class SQLiteRegistry: Registry {
    private let database: Mutex<Database>

    private static let schema = """
        CREATE TABLE IF NOT EXISTS plugins(
          manifest TEXT PRIMARY KEY, id TEXT NOT NULL, version TEXT NOT NULL, sequence INTEGER NOT NULL,
          revoked INTEGER NOT NULL DEFAULT 0, package BLOB) STRICT;
        CREATE INDEX IF NOT EXISTS pluginsById ON plugins(id);
        CREATE TABLE IF NOT EXISTS devices(
          fingerprint TEXT PRIMARY KEY, name TEXT NOT NULL, revoked INTEGER NOT NULL DEFAULT 0) STRICT;
        """

    public init(_ path: String) throws(Diagnostic) {
        database = Mutex(try Database(path, schema: Self.schema))
    }

    public func plugins(_ id: String) throws(Diagnostic) -> [RegisteredPlugin] {
        try use { (database: Database) throws(Diagnostic) in
            try database.rows(
                "SELECT id, version, manifest, sequence, revoked FROM plugins WHERE id=? ORDER BY sequence",
                .text(id),
                read: Self.plugin)
        }
    }

    public func plugins() throws(Diagnostic) -> [RegisteredPlugin] {
        try use { (database: Database) throws(Diagnostic) in
            try database.rows(
                "SELECT id, version, manifest, sequence, revoked FROM plugins ORDER BY id, sequence",
                read: Self.plugin)
        }
    }

    public func package(_ manifest: String) throws(Diagnostic) -> [UInt8]? {
        try use { (database: Database) throws(Diagnostic) in
            try database.rows(
                "SELECT package FROM plugins WHERE manifest=? AND package IS NOT NULL", .text(manifest)
            ) { $0.bytes(0) }.first
        }
    }

    public func register(_ plugin: RegisteredPlugin, package: [UInt8]) throws(Diagnostic) {
        try use { (database: Database) throws(Diagnostic) in
            _ = try database.run(
                """
                INSERT INTO plugins(manifest, id, version, sequence, package) VALUES(?, ?, ?, ?, ?)
                ON CONFLICT(manifest) DO UPDATE SET package=excluded.package
                """, .text(plugin.manifest), .text(plugin.id), .text(plugin.version),
                .integer(plugin.sequence),
                .bytes(package))
        }
    }

    public func remove(_ id: String) throws(Diagnostic) -> Int {
        try use { (database: Database) throws(Diagnostic) in
            let count = try database.run(
                "UPDATE plugins SET package=NULL WHERE id=? AND package IS NOT NULL", .text(id))
            // What was revoked is remembered, and so is the highest sequence.
            return count
        }
    }

    public func revoke(_ id: String, manifest: String?) throws(Diagnostic) -> Int {
        try use { (database: Database) throws(Diagnostic) in
            try database.run(
                "UPDATE plugins SET revoked=1 WHERE id=?1 AND (?2='' OR manifest=?2)", .text(id),
                .text(manifest ?? ""))
        }
    }

    public func device(_ fingerprint: String) throws(Diagnostic) -> RegisteredDevice? {
        try use { (database: Database) throws(Diagnostic) in
            try database.rows(
                "SELECT name, fingerprint, revoked FROM devices WHERE fingerprint=?", .text(fingerprint),
                read: Self.device
            ).first
        }
    }

    public func devices() throws(Diagnostic) -> [RegisteredDevice] {
        try use { (database: Database) throws(Diagnostic) in
            try database.rows(
                "SELECT name, fingerprint, revoked FROM devices ORDER BY name", read: Self.device)
        }
    }

    public func enrol(_ device: RegisteredDevice) throws(Diagnostic) {
        try use { (database: Database) throws(Diagnostic) in
            _ = try database.run(
                "INSERT INTO devices(fingerprint, name) VALUES(?, ?)", .text(device.fingerprint),
                .text(device.name))
        }
    }

    public func revokeDevice(_ name: String) throws(Diagnostic) -> Int {
        try use { (database: Database) throws(Diagnostic) in
            try database.run("UPDATE devices SET revoked=1 WHERE name=?", .text(name))
        }
    }

    private func use<Result: Sendable>(_ body: (Database) throws(Diagnostic) -> Result) throws(Diagnostic)
        -> Result
    {
        try database.withLock { (database) throws(Diagnostic) in try body(database) }
    }

    private static func plugin(_ row: Row) -> RegisteredPlugin {
        RegisteredPlugin(
            id: row.text(0), version: row.text(1), manifest: row.text(2), sequence: row.integer(3),
            isRevoked: row.integer(4) != 0)
    }

    private static func device(_ row: Row) -> RegisteredDevice {
        RegisteredDevice(name: row.text(0), fingerprint: row.text(1), isRevoked: row.integer(2) != 0)
    }
}
