internal import EscrowDatabase
internal import EscrowDiagnostics
internal import EscrowGroup
internal import EscrowShareClient
internal import EscrowShareWire
internal import EscrowSharing

extension Device {
    /// One listing of each server that gave one.
    private struct Listings {
        var order: [String] = []
        var found: [String: [(place: Int, bytes: [UInt8])]] = [:]
        /// Which servers had something, and which nothing more.
        var giving: Set<Int> = []
        var through: Set<Int> = []
        var cursors: [Int: (store: String, next: Int64)] = [:]
    }

    /// What servers did in one step, and how many messages could be put together.
    private struct Taking {
        var waiting: Waiting
        var faults: [String: Set<String>]
        var done = 0
    }

    func download(at now: Int64, until end: ContinuousClock.Instant, _ report: inout SyncReport)
        throws(Diagnostic)
    {
        // A server that always has more is listened to for so long, and the next time again.
        for _ in 0..<64 where conduct.now() < end {
            guard try downloadSome(at: now, until: end, &report) else { return }
        }
    }

    /// Takes one listing of each server; false when the next would lead no further: what fewer than k servers have more of
    /// makes no message, unless the rest was there before.
    private func downloadSome(
        at now: Int64, until end: ContinuousClock.Instant, _ report: inout SyncReport
    ) throws(Diagnostic) -> Bool {
        let listings = try listings(until: end, &report)
        var taking = Taking(waiting: try Waiting(store), faults: report.faults)
        let changes = try step { () throws(Diagnostic) in
            for name in listings.order {
                try combine(name, listings.found[name] ?? [], at: now, &taking)
            }
            for (place, cursor) in listings.cursors {
                try store.database.run(
                    "INSERT OR REPLACE INTO cursor VALUES (?, ?, ?)", .integer(Int64(place)),
                    .text(cursor.store), .integer(cursor.next))
            }
            let old = now - membership.charter.timeToLive
            try store.database.run("DELETE FROM incoming WHERE at < ?", .integer(old))
            try store.database.run("DELETE FROM done WHERE at < ?", .integer(old))
            try dropLone(through: listings.through, at: now, &taking.faults)
        }
        report.faults = taking.faults
        note(changes, &report)
        return taking.done > 0 || listings.giving.count >= membership.meeting.threshold
    }

    private func listings(until end: ContinuousClock.Instant, _ report: inout SyncReport) throws(Diagnostic)
        -> Listings
    {
        // What more comes of a server with too much already is not kept either.
        let places = places(report).filter { report.faults[$0.server.name]?.contains(Self.tooMuch) != true }
        var listings = Listings()
        for (place, store, next) in try store.database.rows(
            "SELECT place, store, next FROM cursor", read: { (Int($0.integer(0)), $0.text(1), $0.integer(2)) }
        ) {
            listings.cursors[place] = (store, next)
        }
        let calls = places.map { place, server, key in
            let after = listings.cursors[place]?.next ?? 0
            return Call(server, "GET", "/groups/\(membership.meeting.group)/shares?after=\(after)", key: key)
        }
        let outcomes = answers(
            to: calls, longest: ShareListing.longest, enough: membership.meeting.threshold, until: end,
            &report)
        for (index, (place, server, _)) in places.enumerated() {
            guard case .answered(200, let body) = outcomes[index] else {
                _ = try take(outcomes[index], of: server, &report)
                continue
            }
            let before = listings.cursors[place]
            guard let listing = try? ShareListing(body), listing.next >= 0 else {
                report.faults[server.name, default: []].insert("unreadable")
                continue
            }
            if let before, before.store != listing.store {
                // Another database: its numbers begin again.
                listings.cursors[place] = (listing.store, 0)
                continue
            }
            guard listing.entries.isEmpty || listing.next > before?.next ?? 0 else {
                report.faults[server.name, default: []].insert("unreadable")
                continue
            }
            listings.cursors[place] = (listing.store, max(listing.next, before?.next ?? 0))
            if listing.entries.isEmpty {
                listings.through.insert(place)
            } else {
                listings.giving.insert(place)
            }
            for entry in listing.entries {
                if listings.found[entry.message] == nil { listings.order.append(entry.message) }
                listings.found[entry.message, default: []].append((place, entry.bytes))
            }
        }
        return listings
    }

    private static var tooMuch: String { "too much" }

    /// Puts one message together of what came now and before.
    private func combine(
        _ name: String, _ found: [(place: Int, bytes: [UInt8])], at now: Int64, _ taking: inout Taking
    ) throws(Diagnostic) {
        guard let scheme = membership.scheme, try !store.isDone(name) else { return }
        let servers = membership.servers
        let kept = try store.incoming(name)
        var replies: [Int: Reply] = [:]
        for (place, bytes) in kept + found where place < servers.count {
            replies[place] = Reply(
                server: servers[place]?.name ?? "", number: UInt8(place + 1), bytes: bytes)
        }
        let combination = Combination(Array(replies.values), scheme: scheme)
        for (server, fault) in combination.faults { taking.faults[server, default: []].insert("\(fault)") }
        guard let message = combination.message else {
            // The first that a server gave under a name stays: one that gives another each time is not waited for anew.
            var places = Set(kept.map(\.place))
            for (place, bytes) in found where combination.faults[servers[place]?.name ?? ""] == nil {
                guard places.insert(place).inserted else { continue }
                guard taking.waiting.admits(bytes.count, of: place) else {
                    taking.faults[servers[place]?.name ?? "", default: []].insert(Self.tooMuch)
                    continue
                }
                try store.database.run(
                    "INSERT INTO incoming VALUES (?, ?, ?, ?)", .text(name), .integer(Int64(place)),
                    .bytes(bytes), .integer(now))
            }
            return
        }
        taking.done += 1
        try store.database.run("INSERT INTO done VALUES (?, ?)", .text(name), .integer(now))
        try store.database.run("DELETE FROM incoming WHERE message = ?", .text(name))
        for (place, bytes) in kept { taking.waiting.release(bytes.count, of: place) }
        try open(message, at: now)
    }

    /// Drops names that one server alone has had for a while, though all others have said everything that they have.
    private func dropLone(through: Set<Int>, at now: Int64, _ faults: inout [String: Set<String>])
        throws(Diagnostic)
    {
        // Whoever uploads may be stopped after one server took its share, and go on later.
        let pause = min(membership.charter.timeToLive / 2, 3_600_000)
        for (place, server) in membership.servers.enumerated()
        where through.union([place]).count == membership.servers.count {
            let dropped = try store.database.run(
                """
                DELETE FROM incoming WHERE at < ?1 AND place = ?2 AND NOT EXISTS (
                    SELECT 1 FROM incoming AS other WHERE other.message = incoming.message AND other.place <> ?2)
                """, .integer(now - pause), .integer(Int64(place)))
            if dropped > 0 { faults[server?.name ?? "", default: []].insert("nobody else's") }
        }
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
