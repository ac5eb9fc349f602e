internal import EscrowDatabase
public import EscrowDiagnostics
internal import EscrowGroup
internal import EscrowShareClient

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
    /// Servers that gave no answer, or none before the others had been waited for long enough.
    public var unreachable: Set<String> = []
    /// How many messages not enough servers took yet.
    public var waiting = 0
    /// How many objects that this device keeps cannot be read: they are left out until somebody writes them again.
    public var unreadable = 0
}

extension Device {
    /// Gets what others sent, answers it, and sends what is here. Servers that are down, or lie, are in the report: while k of
    /// them serve, it goes on, for 20 seconds.
    public func sync(at now: Int64) throws(Diagnostic) -> SyncReport {
        let begin = conduct.now()
        var report = SyncReport()
        report.unreadable = unreadable
        try takeDue(at: now, &report)
        // A part of the time is for what is to go.
        try download(at: now, until: begin + Conduct.budget * 3 / 4, &report)
        try expelPending()
        let changes = try step { () throws(Diagnostic) in
            grouper.tick(at: now)
            try sendLetter(at: now)
        }
        note(changes, &report)
        try upload(until: max(begin + Conduct.budget, conduct.now() + Conduct.budget / 4), &report)
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

    /// Takes what was written later than this device's clock could believe, and is no more.
    private func takeDue(at now: Int64, _ report: inout SyncReport) throws(Diagnostic) {
        guard try store.hasDue(at: now) else { return }
        let changes = try step { () throws(Diagnostic) in
            for message in try store.takeDue(at: now) { grouper.takeAgain(message, at: now) }
        }
        note(changes, &report)
    }

    func note(_ messages: [Message], _ report: inout SyncReport) {
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
    func places(_ report: SyncReport) -> [(place: Int, server: ServerAddress, key: String)] {
        zip(membership.servers, membership.meeting.places).enumerated().compactMap { place, both in
            guard let server = both.0, !both.1.key.isEmpty, !report.unreachable.contains(server.name) else {
                return nil
            }
            return (place, server, both.1.key)
        }
    }

    // MARK: Upload

    private func upload(until end: ContinuousClock.Instant, _ report: inout SyncReport) throws(Diagnostic) {
        var last: [Int: Int64] = [:]
        while conduct.now() < end {
            var rows: [GroupStore.Outgoing] = []
            var calls: [Call] = []
            let places = places(report)
            for (place, server, key) in places {
                // One first: a server that is down keeps nobody waiting for the rest. All at once, else a part waits for another.
                let count = last[place] == nil ? 1 : max(1, min(64, 256 / places.count))
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
            let outcomes = answers(
                to: calls, longest: 1 << 16, enough: membership.meeting.accepted, until: end, &report)
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

    /// Makes calls; a server that is slow is told of in the report, and asked no more in this exchange.
    func answers(
        to calls: [Call], longest: Int, enough: Int, until end: ContinuousClock.Instant,
        _ report: inout SyncReport
    ) -> [Call.Outcome] {
        let answers = conduct.answers(calls, longest, Patience(enough: enough, until: end))
        for server in answers.slow { report.faults[server.name, default: []].insert("slow") }
        report.unreachable.formUnion(answers.slow.map(\.name))
        return answers.outcomes
    }

    /// Whether the server has its share now.
    func take(_ outcome: Call.Outcome, of server: ServerAddress, _ report: inout SyncReport)
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
}
