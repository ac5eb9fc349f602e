import EscrowJSON
import EscrowShareClient
import TemporaryFolder

@testable import EscrowGroup
@testable import EscrowGroupDevice

/// Three servers and their time, in this process, and two devices of a group that meets there, f(2, 3, 2).
final class FakeServers {
    struct Place {
        var entries: [(node: String, name: String, bytes: [UInt8])] = []
        /// How long it takes for an answer.
        var delay = Duration.zero
        /// What it says has come, in place of what it was given.
        var lie: (() -> [(name: String, bytes: [UInt8])])?
        var listings = 0
    }

    var places = [Place](repeating: Place(), count: 3)
    var instant = ContinuousClock.now
    let folder: TemporaryFolder
    static let names = (0..<3).map { "server\($0):1" }
    static let addresses = names.map { "https://\($0)#sha256//\(String(repeating: "A", count: 43))=" }

    init() throws { folder = try TemporaryFolder("fake-servers") }

    // MARK: Servers

    /// What a client does: calls to different servers go at once, those to one after one another.
    private func answers(_ calls: [Call], _ patience: Patience) -> Patience.Answers {
        var times: [String: Duration] = [:]
        for call in calls { times[call.server.name, default: .zero] += places[index(call)].delay }
        let ordered = times.values.sorted()
        var cut = patience.end - instant
        if ordered.count >= patience.enough {
            cut = min(cut, ordered[patience.enough - 1] * 2 + patience.grace)
        }
        let slow = Set(calls.map(\.server).filter { times[$0.name] ?? .zero > cut })
        instant += min(cut, ordered.last ?? .zero)
        return .init(
            outcomes: calls.map { slow.contains($0.server) ? .unreachable : answer($0) }, slow: slow)
    }

    private func index(_ call: Call) -> Int { Self.names.firstIndex(of: call.server.name) ?? 0 }

    /// The access key is the node's name.
    private func answer(_ call: Call) -> Call.Outcome {
        let (place, node) = (index(call), call.key ?? "")
        if call.method == "PUT" {
            let name = String(call.path.split(separator: "/").last ?? "")
            places[place].entries.append((node, "\(node).\(name)", call.body))
            return .answered(status: 201, body: [])
        }
        places[place].listings += 1
        let after = Int(call.path.split(separator: "=").last ?? "") ?? 0
        var next = places[place].entries.count
        var entries = places[place].entries.dropFirst(after).filter { $0.node != node }
            .map { (name: $0.name, bytes: $0.bytes) }
        if let lie = places[place].lie { (entries, next) = (lie(), after + 1) }
        let listing: JSONValue = [
            "store": "x", "next": .integer(Int64(next)),
            "shares": .array(
                entries.map { ["message": .string($0.name), "share": .string(Base64.encode($0.bytes))] }),
        ]
        return .answered(status: 200, body: JSONWriter.line(listing))
    }

    // MARK: Devices

    /// Two devices that are in the group already.
    func devices(timeToLive: Int64 = 86_400_000) throws -> (Device, Device) {
        let ids = ["a", "b"]
        let keys = Dictionary(uniqueKeysWithValues: ids.map { ($0, MemberKeys()) })
        let people = Dictionary(
            uniqueKeysWithValues: ids.map { ($0, Member.Profile(id: $0, email: "", name: "Name of \($0)")) })
        let epoch = Epoch(group: "g", members: keys.mapValues(\.identity))
        for id in ids {
            let folder = "\(folder.path)/\(id)"
            let candidate = try Candidate(folder, name: "", email: "")
            withExtendedLifetime(candidate) {}
            let store = try GroupStore(folder + "/group.db")
            try store.setPart(
                "membership",
                Membership(
                    charter: .init(
                        name: "home", appId: "org.example.a", entities: ["Record"], rule: .newestWins,
                        timeToLive: timeToLive, owner: "a"),
                    meeting: .init(
                        group: "g", threshold: 2, accepted: 2,
                        places: Self.addresses.map { .init(address: $0, key: id) }),
                    people: people, owner: keys["a"]!.identity))
            try store.setPart("epochs", [epoch])
            try store.setPart(
                "member",
                Member(
                    people[id]!, others: ["a": 0, "b": 0], timeToLive: timeToLive, pause: 10_000))
            try store.setPart("keys", keys[id]!.bytes)
        }
        return (try open("a"), try open("b"))
    }

    /// Opens a device, as its next process does.
    func open(_ id: String) throws -> Device {
        let device = try Device("\(folder.path)/\(id)")
        device.conduct = Conduct(
            answers: { [self] calls, _, patience in answers(calls, patience) },
            now: { [self] in instant })
        return device
    }
}
