internal import EscrowDatabase
public import EscrowDiagnostics
internal import EscrowFiles
public import EscrowGroup
internal import EscrowShareClient
internal import EscrowShareWire
internal import EscrowSharing

/// A meeting that was begun at servers, by its owner.
struct Founding {
    let meeting: Letter.Meeting
    let masters: [String]

    init(
        _ servers: [String], threshold: Int, accepted: Int, node: String, timeToLive: Int64, _ client: Client
    ) throws(Diagnostic) {
        let addresses = servers.compactMap(ServerAddress.init)
        guard addresses.count == servers.count, Set(addresses.map(\.name)).count == servers.count else {
            throw Diagnostic(
                .tooFewServers, "a server is named as it names itself when it starts, and once",
                help: "--server 'https://HOST:PORT#sha256//DIGEST'")
        }
        guard (try? Scheme(threshold: threshold, shares: servers.count, accepted: accepted)) != nil else {
            throw Diagnostic(
                .tooFewServers, "f(k, n, s) must hold 2 <= k <= s <= n, n being the number of servers",
                help: "for example three servers, --threshold 2 --accepted 2")
        }
        let group = ShareName.random()
        let opening = Opening(group: group, node: node, timeToLive: timeToLive)
        let outcomes = client.make(addresses.map { Call($0, "POST", "/groups", body: opening.bytes) })
        var masters: [String] = []
        var places: [Letter.Meeting.Place] = []
        for (address, outcome) in zip(addresses, outcomes) {
            guard case .answered(201, let body) = outcome, let keys = try? AccessKeys(body),
                let master = keys.master
            else {
                throw Diagnostic(.tooFewServers, "\(address.name) does not begin a group")
            }
            masters.append(master)
            places.append(.init(address: "\(address)", key: keys.access))
        }
        self.masters = masters
        meeting = Letter.Meeting(group: group, threshold: threshold, accepted: accepted, places: places)
    }
}

/// What an owner chooses for a group.
public struct GroupPlan: Sendable {
    public var name: String
    public var appId: String
    public var entities: [String]
    public var rule: Rule
    /// In milliseconds.
    public var timeToLive: Int64
    public var servers: [String]
    public var threshold: Int
    public var accepted: Int

    public init(
        name: String, appId: String, entities: [String], rule: Rule, timeToLive: Int64, servers: [String],
        threshold: Int, accepted: Int
    ) {
        self.name = name
        self.appId = appId
        self.entities = entities
        self.rule = rule
        self.timeToLive = timeToLive
        self.servers = servers
        self.threshold = threshold
        self.accepted = accepted
    }
}

/// A device that is about to be in a group: it has its name and keys, and nothing else yet.
public final class Candidate {
    private let store: GroupStore
    /// Held until the group is there, and its device can be opened.
    private var lock: FileLock?
    private let keys: MemberKeys
    private let profile: Member.Profile

    /// Makes the folder, or opens it again: an introduction that was handed over stays what it was.
    public init(_ folder: String, name: String, email: String) throws(Diagnostic) {
        try Self.requireNameOfItsOwn(folder)
        try SecureFile.makeFolder(folder)
        store = try GroupStore(folder + "/group.db")
        guard try store.part("membership", Membership.self) == nil else {
            throw Diagnostic(
                .groupExists, "there is a group of that name here already", help: "escrow group list")
        }
        lock = try FileLock.acquire(folder + "/lock")
        if let bytes = try store.part("keys", [UInt8].self), let keys = try? MemberKeys(bytes),
            let profile = try store.part("profile", Member.Profile.self)
        {
            (self.keys, self.profile) = (keys, profile)
        } else {
            keys = MemberKeys()
            profile = Member.Profile(id: ShareName.random(), email: email, name: name)
            try store.setPart("keys", keys.bytes)
            try store.setPart("profile", profile)
        }
    }

    /// Refuses a new group whose name would look like another's in the app id that it answers under.
    private static func requireNameOfItsOwn(_ folder: String) throws(Diagnostic) {
        let name = folder.split(separator: "/").last.map(String.init) ?? ""
        let names = try Folder.namesIfPresent(SecureFile.parent(of: folder)) ?? []
        let alike = names.first { $0 != name && Device.label(of: $0) == Device.label(of: name) }
        guard let alike, !names.contains(name) else { return }
        throw Diagnostic(
            .groupExists, "there is a group here already whose name looks like it: \(alike)",
            help: "choose a name that differs in more than capitals, - and _")
    }

    /// What the owner needs of this device, and whose code is told by word of mouth.
    public var introduction: Introduction { Introduction(profile, keys.identity) }

    /// Begins a group, and owns it.
    public func create(_ plan: GroupPlan) throws(Diagnostic) {
        guard let client = Client() else { throw Diagnostic(.ownFault, "libcurl cannot be used") }
        let founding = try Founding(
            plan.servers, threshold: plan.threshold, accepted: plan.accepted, node: profile.id,
            timeToLive: plan.timeToLive, client)
        let charter = Letter.Charter(
            name: plan.name, appId: plan.appId, entities: plan.entities, rule: plan.rule,
            timeToLive: plan.timeToLive, owner: profile.id)
        try keep(
            Membership(
                charter: charter, meeting: founding.meeting, people: [profile.id: profile],
                owner: keys.identity, masters: founding.masters),
            Epoch(group: ShareName.random(), members: [profile.id: keys.identity]), have: [:])
    }

    /// Joins with what the owner gave, after its code was compared.
    public func join(_ invitation: Invitation, code: String) throws(Diagnostic) {
        guard code == invitation.owner.code else {
            throw Diagnostic(
                .letterRefused, "the code is not that of this invitation's owner",
                help: "compare it with what the owner's device shows; somebody else may have written this")
        }
        guard let letter = try? Letter(invitation.letter, for: keys, from: invitation.owner.identity),
            letter.charter.owner == invitation.owner.profile.id, letter.epoch.members[profile.id] != nil,
            let copy = letter.copy
        else { throw Diagnostic(.letterRefused, "this invitation is not for this device, or was altered") }
        for object in copy.objects { try store.set(object) }
        try keep(
            Membership(
                charter: letter.charter, meeting: letter.meeting, people: letter.people,
                owner: invitation.owner.identity),
            letter.epoch, have: copy.have.filter { letter.epoch.members[$0.key] != nil })
    }

    private func keep(_ membership: Membership, _ epoch: Epoch, have: [String: UInt64]) throws(Diagnostic) {
        let timeToLive = membership.charter.timeToLive
        // What was asked for has this long to come.
        let pause = min(10_000, max(1, timeToLive / 8))
        let member = Member(profile, others: have, timeToLive: timeToLive, pause: pause)
        let store = store
        try store.database.transaction { () throws(Diagnostic) in
            try store.setPart("member", member)
            try store.setPart("epochs", [epoch])
            try store.setPart("membership", membership)
        }
        lock = nil
    }
}
