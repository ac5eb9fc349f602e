internal import EscrowDatabase
internal import EscrowDiagnostics
internal import EscrowGroup
internal import EscrowShareClient
internal import EscrowSharing

/// A key at a server that is still to be taken from somebody who is no member any more.
struct Expulsion: Codable, Equatable {
    let server: String
    let group: String
    let node: String
    let master: String
}

/// What keeps from a former member what is written without it.
extension Device {
    private static let part = "expulsions"

    /// What servers have not done yet. Where the group no longer meets nothing is to be done.
    var expulsions: [Expulsion] {
        get throws(Diagnostic) {
            try (store.part(Self.part, [Expulsion].self) ?? []).filter {
                $0.group == membership.meeting.group
            }
        }
    }

    /// Former members whose keys are still good somewhere, each with the servers' names.
    public var stillAdmitted: [String: [String]] {
        get throws(Diagnostic) {
            Dictionary(grouping: try expulsions, by: \.node).mapValues { each in
                each.map { ServerAddress($0.server)?.name ?? $0.server }
            }
        }
    }

    /// Remembers that all servers are to take a member's key; they are told with the next ``sync(at:)``, and until they did it.
    func expelAtServers(_ id: String) throws(Diagnostic) {
        let new = zip(membership.meeting.places, membership.masters).map {
            Expulsion(server: $0.address, group: membership.meeting.group, node: id, master: $1)
        }
        try store.setPart(Self.part, try expulsions.filter { $0.node != id } + new)
    }

    /// Somebody is a member again, with new keys: nothing of theirs is to be taken.
    func forgetExpulsion(_ id: String) throws(Diagnostic) {
        try store.setPart(Self.part, try expulsions.filter { $0.node != id })
    }

    /// Tells servers which keys are to go: those as well that gave no answer to something else, but not for long.
    func expelPending() throws(Diagnostic) {
        let pending = try expulsions.compactMap { expulsion in
            ServerAddress(expulsion.server).map { (expulsion: expulsion, server: $0) }
        }
        guard !pending.isEmpty else { return }
        let calls = pending.map { expulsion, server in
            Call(
                server, "DELETE", "/groups/\(expulsion.group)/members/\(expulsion.node)",
                key: expulsion.master)
        }
        let patience = Patience(enough: calls.count, until: conduct.now() + Conduct.budget / 4)
        let outcomes = conduct.answers(calls, 1 << 16, patience).outcomes
        let done = zip(pending, outcomes).compactMap { each, outcome -> Expulsion? in
            switch outcome {
            case .answered(204, _), .answered(404, _): each.expulsion
            default: nil
            }
        }
        try store.setPart(Self.part, try expulsions.filter { !done.contains($0) })
    }

    /// Seals anew what is still to go, and was sealed under the epoch before: who was a member of that one has its key. Where
    /// fewer than k shares are left here, enough servers have it already.
    func sealAnew() throws(Diagnostic) {
        guard let scheme = membership.scheme else { return }
        let names = try store.database.rows(
            "SELECT message FROM outgoing GROUP BY message ORDER BY min(number)"
        ) { $0.text(0) }
        for name in names {
            let replies = try store.database.rows(
                "SELECT place, bytes FROM outgoing WHERE message = ?", .text(name)
            ) { Reply(server: "\($0.integer(0))", number: UInt8($0.integer(0) + 1), bytes: $0.bytes(1)) }
            guard let old = Combination(replies, scheme: scheme).message,
                let epoch = Keyring.epoch(of: old), epoch < keyring.newest.number,
                let message = try? keyring.open(old), let new = try? keyring.seal(message)
            else { continue }
            try store.database.run("DELETE FROM outgoing WHERE message = ?", .text(name))
            try enqueue(new)
        }
    }
}
