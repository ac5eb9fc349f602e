internal import EscrowDatabase
public import EscrowDiagnostics
internal import EscrowGroup
internal import EscrowShareClient
internal import EscrowShareWire
internal import EscrowSharing

/// What one exchange with the servers did.
public struct SyncReport: Sendable, Equatable {
    public struct Change: Sendable, Equatable {
        public let objectClass: String
        public let id: String
        public let isDeleted: Bool
        /// The member who wrote it.
        public let sender: String
    }

    /// What others changed, in the order of its arrival.
    public var changes: [Change] = []
    /// What servers answered wrongly: their names, and each fault once.
    public var faults: [String: Set<String>] = [:]
    /// Servers that gave no answer.
    public var unreachable: Set<String> = []
    /// How many messages not enough servers took yet.
    public var waiting = 0
}

extension Device {
    /// Gets what others sent, answers it, and sends what is here. Servers that are down, or lie, are in the report: while k of
    /// them serve, it goes on.
    public func sync(at now: Int64) throws(Diagnostic) -> SyncReport {
        var report = SyncReport()
        try download(at: now, &report)
        let changes = try step { () throws(Diagnostic) in
            grouper.tick(at: now)
            try sendLetter(at: now)
        }
        note(changes, &report)
        try upload(&report)
        for (server, faults) in report.faults {
            for fault in faults { try store.count(fault, of: server) }
        }
        report.waiting = try store.waiting()
        return report
    }

    /// Says to the others what is here, with the next ``sync(at:)``.
    public func confirm(at now: Int64) throws(Diagnostic) {
        try step { () throws(Diagnostic) in grouper.sender.confirm(at: now) }
    }

    private func note(_ messages: [Message], _ report: inout SyncReport) {
        for message in messages where message.objectClass != Grouper<Replica>.leaving {
            var isDeleted = false
            if case .delete = message.content { isDeleted = true }
            report.changes.append(
                .init(
                    objectClass: message.objectClass, id: message.objectId, isDeleted: isDeleted,
                    sender: message.senderId))
        }
    }

    /// The servers that can be asked: an address, a key, and no failure in this exchange.
    private func places(_ report: SyncReport) -> [(place: Int, server: ServerAddress, key: String)] {
        zip(membership.servers, membership.meeting.places).enumerated().compactMap { place, both in
            guard let server = both.0, !both.1.key.isEmpty, !report.unreachable.contains(server.name) else {
                return nil
            }
            return (place, server, both.1.key)
        }
    }

    // MARK: Upload

    private func upload(_ report: inout SyncReport) throws(Diagnostic) {
        var last: [Int: Int64] = [:]
        while true {
            var rows: [GroupStore.Outgoing] = []
            var calls: [Call] = []
            for (place, server, key) in places(report) {
                // One first: a server that is down keeps nobody waiting for the rest.
                let count = last[place] == nil ? 1 : 64
                for row in try store.outgoing(to: place, after: last[place] ?? 0, atMost: count) {
                    rows.append(row)
                    calls.append(
                        Call(
                            server, "PUT", "/groups/\(membership.meeting.group)/shares/\(row.message)",
                            key: key,
                            body: row.bytes))
                    last[place] = row.number
                }
            }
            guard !calls.isEmpty else { return }
            let outcomes = client.make(calls)
            try store.database.transaction { () throws(Diagnostic) in
                for index in calls.indices {
                    guard try take(outcomes[index], of: calls[index].server, &report) else { continue }
                    try store.database.run(
                        "DELETE FROM outgoing WHERE number = ?", .integer(rows[index].number))
                }
                // Done when s servers took it: what is left of it need not go.
                let most = membership.meeting.places.count - membership.meeting.accepted
                for message in Set(rows.map(\.message)) {
                    try store.database.run(
                        """
                        DELETE FROM outgoing WHERE message = ?1 AND
                        (SELECT count(*) FROM outgoing WHERE message = ?1) <= ?2
                        """, .text(message), .integer(Int64(most)))
                }
            }
        }
    }

    /// Whether the server has its share now.
    private func take(_ outcome: Call.Outcome, of server: ServerAddress, _ report: inout SyncReport)
        throws(Diagnostic) -> Bool
    {
        switch outcome {
        case .answered(200, _), .answered(201, _): return true
        case .answered(429, _): return false
        case .answered: report.faults[server.name, default: []].insert("refused")
        case .stranger: report.faults[server.name, default: []].insert("another key")
        case .unreachable: report.unreachable.insert(server.name)
        }
        return false
    }

    // MARK: Download

    private func download(at now: Int64, _ report: inout SyncReport) throws(Diagnostic) {
        // A server that always has more is listened to for so long, and the next time again.
        for _ in 0..<64 {
            guard try downloadSome(at: now, &report) else { return }
        }
    }

    /// Takes one listing of each server; false when there was nothing.
    private func downloadSome(at now: Int64, _ report: inout SyncReport) throws(Diagnostic) -> Bool {
        let places = places(report)
        var cursors: [Int: (store: String, next: Int64)] = [:]
        for (place, store, next) in try store.database.rows(
            "SELECT place, store, next FROM cursor", read: { (Int($0.integer(0)), $0.text(1), $0.integer(2)) }
        ) {
            cursors[place] = (store, next)
        }
        let calls = places.map { place, server, key in
            let after = cursors[place]?.next ?? 0
            return Call(server, "GET", "/groups/\(membership.meeting.group)/shares?after=\(after)", key: key)
        }
        let outcomes = client.make(calls, longest: ShareListing.longest)
        var order: [String] = []
        var found: [String: [(place: Int, bytes: [UInt8])]] = [:]
        for (index, (place, server, _)) in places.enumerated() {
            guard case .answered(200, let body) = outcomes[index] else {
                _ = try take(outcomes[index], of: server, &report)
                continue
            }
            let before = cursors[place]
            guard let listing = try? ShareListing(body), listing.next >= 0 else {
                report.faults[server.name, default: []].insert("unreadable")
                continue
            }
            if let before, before.store != listing.store {
                // Another database: its numbers begin again.
                cursors[place] = (listing.store, 0)
                continue
            }
            guard listing.entries.isEmpty || listing.next > before?.next ?? 0 else {
                report.faults[server.name, default: []].insert("unreadable")
                continue
            }
            cursors[place] = (listing.store, max(listing.next, before?.next ?? 0))
            for entry in listing.entries {
                if found[entry.message] == nil { order.append(entry.message) }
                found[entry.message, default: []].append((place, entry.bytes))
            }
        }
        var faults = report.faults
        let changes = try step { () throws(Diagnostic) in
            for name in order { try combine(name, found[name] ?? [], at: now, &faults) }
            for (place, cursor) in cursors {
                try store.database.run(
                    "INSERT OR REPLACE INTO cursor VALUES (?, ?, ?)", .integer(Int64(place)),
                    .text(cursor.store), .integer(cursor.next))
            }
            let old = now - membership.charter.timeToLive
            try store.database.run("DELETE FROM incoming WHERE at < ?", .integer(old))
            try store.database.run("DELETE FROM done WHERE at < ?", .integer(old))
        }
        report.faults = faults
        note(changes, &report)
        return !order.isEmpty
    }

    /// Puts one message together of what came now and before.
    private func combine(
        _ name: String, _ found: [(place: Int, bytes: [UInt8])], at now: Int64,
        _ faults: inout [String: Set<String>]
    ) throws(Diagnostic) {
        guard let scheme = membership.scheme, try !store.isDone(name) else { return }
        let servers = membership.servers
        var replies: [Int: Reply] = [:]
        for (place, bytes) in try store.incoming(name) + found where place < servers.count {
            replies[place] = Reply(
                server: servers[place]?.name ?? "", number: UInt8(place + 1), bytes: bytes)
        }
        let combination = Combination(Array(replies.values), scheme: scheme)
        for (server, fault) in combination.faults { faults[server, default: []].insert("\(fault)") }
        guard let message = combination.message else {
            for (place, bytes) in found where combination.faults[servers[place]?.name ?? ""] == nil {
                try store.database.run(
                    "INSERT OR REPLACE INTO incoming VALUES (?, ?, ?, ?)", .text(name),
                    .integer(Int64(place)),
                    .bytes(bytes), .integer(now))
            }
            return
        }
        try store.database.run("INSERT INTO done VALUES (?, ?)", .text(name), .integer(now))
        try store.database.run("DELETE FROM incoming WHERE message = ?", .text(name))
        try open(message, at: now)
    }

    /// What does not open is not for this member: a letter to another, an epoch whose letter is still to come, a forgery.
    private func open(_ sealed: [UInt8], at now: Int64) throws(Diagnostic) {
        if Letter.isLetter(sealed) {
            if let letter = try? Letter(sealed, for: keys, from: membership.owner) { try take(letter) }
            return
        }
        guard let message = try? keyring.open(sealed) else { return }
        if isOwner, Keyring.epoch(of: sealed) == keyring.newest.number {
            try store.database.run("DELETE FROM unanswered WHERE member = ?", .text(message.senderId))
        }
        grouper.take(message, at: now)
        if isOwner, message.objectClass == Grouper<Replica>.leaving, case .update = message.content {
            try expel(message.senderId)
        }
    }
}
