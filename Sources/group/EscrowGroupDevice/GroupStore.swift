internal import EscrowDatabase
internal import EscrowDiagnostics
internal import EscrowGroup
internal import FoundationEssentials

/// What one device keeps of one group, in a SQLite file.
final class GroupStore {
    let database: Database

    init(_ path: String) throws(Diagnostic) {
        database = try Database(
            path,
            schema: """
                CREATE TABLE IF NOT EXISTS part(name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
                CREATE TABLE IF NOT EXISTS kept(number INTEGER PRIMARY KEY, message BLOB NOT NULL);
                CREATE TABLE IF NOT EXISTS object(
                    id TEXT PRIMARY KEY, class TEXT NOT NULL, deleted INTEGER NOT NULL, content TEXT NOT NULL
                );
                -- The objects that are there, as the app wrote them: what other programs of this device may read.
                CREATE TABLE IF NOT EXISTS shown(id TEXT PRIMARY KEY, class TEXT NOT NULL, object TEXT NOT NULL);
                -- Shares that a server did not take yet, and those that came without enough others.
                CREATE TABLE IF NOT EXISTS outgoing(
                    number INTEGER PRIMARY KEY, message TEXT NOT NULL, place INTEGER NOT NULL, bytes BLOB NOT NULL
                );
                CREATE INDEX IF NOT EXISTS outgoing_message ON outgoing(message);
                CREATE TABLE IF NOT EXISTS incoming(
                    message TEXT NOT NULL, place INTEGER NOT NULL, bytes BLOB NOT NULL, at INTEGER NOT NULL,
                    PRIMARY KEY(message, place)
                );
                CREATE INDEX IF NOT EXISTS incoming_at ON incoming(at, message, place);
                -- Messages that were written later than this device's clock could believe, and when they are taken.
                CREATE TABLE IF NOT EXISTS later(
                    number INTEGER PRIMARY KEY, sender TEXT NOT NULL, due INTEGER NOT NULL, message BLOB NOT NULL
                );
                CREATE TABLE IF NOT EXISTS done(message TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
                CREATE TABLE IF NOT EXISTS cursor(place INTEGER PRIMARY KEY, store TEXT NOT NULL, next INTEGER NOT NULL);
                -- The owner's: who did not answer under the newest epoch, and when its letter last went to them.
                CREATE TABLE IF NOT EXISTS unanswered(member TEXT PRIMARY KEY, sent INTEGER) WITHOUT ROWID;
                CREATE TABLE IF NOT EXISTS fault(
                    server TEXT NOT NULL, fault TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY(server, fault)
                ) WITHOUT ROWID;
                """)
    }

    func part<Value: Decodable>(_ name: String, _ type: Value.Type = Value.self) throws(Diagnostic) -> Value?
    {
        let rows = try database.rows("SELECT value FROM part WHERE name = ?", .text(name)) { $0.bytes(0) }
        guard let bytes = rows.first else { return nil }
        guard let value = try? JSONDecoder().decode(type, from: Data(bytes)) else {
            throw Diagnostic(.groupUnfit, "what this device keeps of the group is damaged: \(name)")
        }
        return value
    }

    func setPart(_ name: String, _ value: some Encodable) throws(Diagnostic) {
        guard let data = try? JSONEncoder().encode(value) else {
            throw Diagnostic(.groupUnfit, "what this device keeps of the group cannot be written: \(name)")
        }
        try database.run("INSERT OR REPLACE INTO part VALUES (?, ?)", .text(name), .bytes(Array(data)))
    }

    // MARK: Messages and objects

    func kept() throws(Diagnostic) -> [UInt64: Message] {
        var messages: [UInt64: Message] = [:]
        for bytes in try database.rows("SELECT message FROM kept", read: { $0.bytes(0) }) {
            guard let message = try? Message(bytes) else {
                throw Diagnostic(.groupUnfit, "what this device keeps of the group is damaged: a message")
            }
            messages[message.sequence] = message
        }
        return messages
    }

    func objects() throws(Diagnostic) -> [Letter.Object] {
        try database.rows("SELECT class, id, deleted, content FROM object ORDER BY id") {
            Letter.Object(
                objectClass: $0.text(0), id: $0.text(1),
                version: ObjectVersion(isDeleted: $0.integer(2) != 0, content: $0.text(3)))
        }
    }

    func set(_ object: Letter.Object) throws(Diagnostic) {
        try database.run(
            "INSERT OR REPLACE INTO object VALUES (?, ?, ?, ?)", .text(object.id), .text(object.objectClass),
            .integer(object.version.isDeleted ? 1 : 0), .text(object.version.content))
    }

    /// Shows an object to other programs of this device, or shows it no longer.
    func show(_ id: String, _ objectClass: String, _ object: String?) throws(Diagnostic) {
        guard let object else {
            try database.run("DELETE FROM shown WHERE id = ?", .text(id))
            return
        }
        try database.run(
            "INSERT OR REPLACE INTO shown VALUES (?, ?, ?)", .text(id), .text(objectClass), .text(object))
    }

    // MARK: Shares

    struct Outgoing {
        let number: Int64
        let message: String
        let place: Int
        let bytes: [UInt8]
    }

    func send(_ message: String, _ shares: [[UInt8]]) throws(Diagnostic) {
        for (place, bytes) in shares.enumerated() {
            try database.run(
                "INSERT INTO outgoing(message, place, bytes) VALUES (?, ?, ?)", .text(message),
                .integer(Int64(place)), .bytes(bytes))
        }
    }

    /// Shares for a server that are still to go, the oldest first.
    func outgoing(to place: Int, after number: Int64, atMost count: Int) throws(Diagnostic) -> [Outgoing] {
        try database.rows(
            "SELECT number, message, place, bytes FROM outgoing WHERE place = ? AND number > ? ORDER BY number LIMIT ?",
            .integer(Int64(place)), .integer(number), .integer(Int64(count))
        ) {
            Outgoing(
                number: $0.integer(0), message: $0.text(1), place: Int($0.integer(2)), bytes: $0.bytes(3))
        }
    }

    /// How many messages no enough servers took yet.
    func waiting() throws(Diagnostic) -> Int {
        Int(try database.number("SELECT count(DISTINCT message) FROM outgoing"))
    }

    func isDone(_ message: String) throws(Diagnostic) -> Bool {
        try database.number("SELECT count(*) FROM done WHERE message = ?", .text(message)) > 0
    }

    func incoming(_ message: String) throws(Diagnostic) -> [(place: Int, bytes: [UInt8])] {
        try database.rows("SELECT place, bytes FROM incoming WHERE message = ?", .text(message)) {
            (Int($0.integer(0)), $0.bytes(1))
        }
    }

    /// Keeps a message for its time. A member who sends too many of a time to come is heard no further.
    func keep(_ message: Message, until due: Int64) throws(Diagnostic) {
        try database.run(
            """
            INSERT INTO later(sender, due, message) SELECT ?1, ?2, ?3
            WHERE (SELECT count(*) FROM later WHERE sender = ?1) < 4096
            """, .text(message.senderId), .integer(due), .bytes(message.bytes))
    }

    /// The messages whose time has come, which are kept no longer.
    func takeDue(at now: Int64) throws(Diagnostic) -> [Message] {
        let messages = try database.rows(
            "SELECT message FROM later WHERE due <= ? ORDER BY number", .integer(now)
        ) { try? Message($0.bytes(0)) }
        try database.run("DELETE FROM later WHERE due <= ?", .integer(now))
        return messages.compactMap { $0 }
    }

    func hasDue(at now: Int64) throws(Diagnostic) -> Bool {
        try database.number("SELECT count(*) FROM later WHERE due <= ?", .integer(now)) > 0
    }

    /// Forgets everything that is under way: the group meets elsewhere.
    func forgetWay() throws(Diagnostic) {
        try database.execute("DELETE FROM outgoing; DELETE FROM incoming; DELETE FROM cursor")
    }

    // MARK: Faults

    func count(_ fault: String, of server: String) throws(Diagnostic) {
        try database.run(
            "INSERT INTO fault VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1", .text(server),
            .text(fault))
    }

    func faults() throws(Diagnostic) -> [(server: String, fault: String, count: Int64)] {
        try database.rows("SELECT server, fault, count FROM fault ORDER BY server, fault") {
            ($0.text(0), $0.text(1), $0.integer(2))
        }
    }
}
