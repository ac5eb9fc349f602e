extension FileStore {
    /// A store of the version before lacks `seen`, `awake` and `holding`; they are made and filled when it is opened, and that version
    /// can still use it: its statements name none of them, and the triggers are the file's own.
    static let schema = """
        PRAGMA wal_autocheckpoint=256;
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
        CREATE TABLE IF NOT EXISTS seen(
            circle TEXT PRIMARY KEY REFERENCES circle ON DELETE CASCADE, at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS awake(at INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS holding(
            circle TEXT NOT NULL REFERENCES circle ON DELETE CASCADE, node TEXT NOT NULL,
            bytes INTEGER NOT NULL, shares INTEGER NOT NULL, PRIMARY KEY(circle, node)
        ) WITHOUT ROWID;
        CREATE TRIGGER IF NOT EXISTS share_counted AFTER INSERT ON share BEGIN
            INSERT INTO holding VALUES (new.circle, new.node, length(new.bytes), 1)
            ON CONFLICT(circle, node) DO UPDATE SET bytes = holding.bytes + excluded.bytes, shares = holding.shares + 1;
        END;
        CREATE TRIGGER IF NOT EXISTS share_discounted AFTER DELETE ON share BEGIN
            UPDATE holding SET bytes = bytes - length(old.bytes), shares = shares - 1
            WHERE circle = old.circle AND node = old.node;
        END;
        INSERT INTO holding SELECT circle, node, sum(length(bytes)), count(*) FROM share
            WHERE NOT EXISTS (SELECT 1 FROM holding) GROUP BY circle, node;
        """
}
