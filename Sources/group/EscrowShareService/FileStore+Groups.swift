internal import EscrowDatabase
public import EscrowDiagnostics

extension FileStore {
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
        try inAnyCase { () throws(Diagnostic) in
            try remove(group)
            try forget()
        }
    }

    private func remove(_ group: String) throws(Diagnostic) {
        try delete { () throws(Diagnostic) in
            try database.rows(
                "SELECT number, length(bytes) FROM share WHERE circle = ? LIMIT 1024", .text(group),
                read: Piece.init)
        }
        try database.run("DELETE FROM circle WHERE id = ?", .text(group))
    }

    public func use(_ group: String, at now: Int64) throws(Diagnostic) {
        try database.run(
            "INSERT INTO seen VALUES (?, ?) ON CONFLICT(circle) DO UPDATE SET at = excluded.at",
            .text(group), .integer(now))
    }

    public func letGo(at now: Int64, least: Int64) throws(Diagnostic) {
        try inAnyCase { () throws(Diagnostic) in
            let unused = try database.transaction { () throws(Diagnostic) -> [String] in
                try self.unused(at: now, least: least)
            }
            for group in unused { try remove(group) }
            if !unused.isEmpty { try forget() }
        }
    }

    private func unused(at now: Int64, least: Int64) throws(Diagnostic) -> [String] {
        // Those of the version before count from now on.
        try database.run("INSERT OR IGNORE INTO seen SELECT id, ? FROM circle", .integer(now))
        if let awake = try database.rows("SELECT at FROM awake", read: { $0.integer(0) }).first {
            // While the server was away nobody could ask it; and a clock that was put forward is no time that went by.
            if now - awake >= least {
                try database.run("UPDATE seen SET at = at + ?", .integer(now - awake))
            }
        }
        try database.run("UPDATE seen SET at = ?1 WHERE at > ?1", .integer(now))
        try database.run("DELETE FROM awake")
        try database.run("INSERT INTO awake VALUES (?)", .integer(now))
        return try database.rows(
            """
            SELECT circle.id FROM circle JOIN seen ON seen.circle = circle.id
            WHERE seen.at + max(circle.time_to_live, ?2) <= ?1
            """, .integer(now), .integer(least)
        ) { $0.text(0) }
    }

    public func members(of group: String) throws(Diagnostic) -> Int64 {
        try database.number("SELECT count(*) FROM user WHERE circle = ?", .text(group))
    }

    public func admit(_ node: String, to group: String, access: [UInt8]) throws(Diagnostic) {
        try database.run(
            "INSERT OR REPLACE INTO user VALUES (?, ?, ?)", .text(group), .text(node), .bytes(access))
    }

    public func expel(_ node: String, from group: String) throws(Diagnostic) {
        // Who kept nothing costs no wait for the disk.
        var isToForget = false
        try inAnyCase { () throws(Diagnostic) in
            // First the key: nothing comes after what is deleted.
            try database.run("DELETE FROM user WHERE circle = ? AND node = ?", .text(group), .text(node))
            try delete { () throws(Diagnostic) in
                let pieces = try database.rows(
                    "SELECT number, length(bytes) FROM share WHERE circle = ? AND node = ? LIMIT 1024",
                    .text(group), .text(node), read: Piece.init)
                isToForget = isToForget || !pieces.isEmpty
                return pieces
            }
            try database.run("DELETE FROM holding WHERE circle = ? AND node = ?", .text(group), .text(node))
            if isToForget { try forget() }
        }
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
}
