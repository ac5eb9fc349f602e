internal import EscrowDiagnostics
internal import EscrowGroup
public import EscrowJSON
internal import EscrowShareClient

extension Device {
    /// The group as this device knows it, without an object.
    public var description: JSONValue {
        get throws(Diagnostic) {
            let have = grouper.member.have
            let members = keyring.newest.members.sorted { $0.key < $1.key }.map { id, identity -> JSONValue in
                let person = membership.people[id]
                return [
                    "node": .string(id), "name": .string(person?.name ?? ""),
                    "email": .string(person?.email ?? ""),
                    "fingerprint": .string(identity.fingerprint),
                    "isOwner": .bool(id == membership.charter.owner),
                    "messages": .integer(Int64(clamping: have[id] ?? 0)),
                ]
            }
            var faults: [String: [(name: String, value: JSONValue)]] = [:]
            for row in try store.faults() {
                faults[row.server, default: []].append((row.fault, .integer(row.count)))
            }
            let servers = membership.servers.map { server -> JSONValue in
                let name = server?.name ?? ""
                let found = faults[name] ?? []
                var each: [(name: String, value: JSONValue)] = [
                    ("server", .string(name)), ("faults", .object(found)),
                ]
                // Whoever uploads can give one server something else than the others.
                if !found.isEmpty { each.append(("faultsOf", .string("the server or a member"))) }
                return .object(each)
            }
            let stillAdmitted = try stillAdmitted.sorted { $0.key < $1.key }.map { id, servers -> JSONValue in
                ["node": .string(id), "servers": .array(servers.map { .string($0) })]
            }
            return [
                "group": .string(membership.charter.name), "app": .string(membership.charter.appId),
                "classes": .array(membership.charter.entities.map { .string($0) }),
                "rule": .string(membership.charter.rule.rawValue),
                "timeToLive": .real(Double(membership.charter.timeToLive) / 1000),
                "threshold": .integer(Int64(membership.meeting.threshold)),
                "accepted": .integer(Int64(membership.meeting.accepted)), "servers": .array(servers),
                "epoch": .integer(Int64(clamping: keyring.newest.number)), "node": .string(profile.id),
                "members": .array(members), "objects": .integer(Int64(grouper.dataStack.objects.count)),
                "answersAs": .string(app), "kept": .integer(Int64(grouper.member.keptCount)),
                "waiting": .integer(Int64(try store.waiting())), "stillAdmitted": .array(stillAdmitted),
            ]
        }
    }
}
