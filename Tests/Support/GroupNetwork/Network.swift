public import EscrowGroup
import Foundation

/// Members and servers in one process, with a clock of its own. A server keeps its share of a message until the time to live is
/// over; a message is read when k of its shares came.
public struct Network {
    struct Post {
        let message: Message
        let expires: Int64
        /// Which servers took their share.
        var servers: Set<Int>
    }

    public struct Conditions {
        public var loss: Int
        public var duplicates: Int
        public var threshold: Int
        public var servers: Int

        public init(loss: Int = 0, duplicates: Int = 0, threshold: Int = 3, servers: Int = 5) {
            self.loss = loss
            self.duplicates = duplicates
            self.threshold = threshold
            self.servers = servers
        }
    }

    /// The time to live.
    public static let day: Int64 = 86_400_000

    public static func member(_ id: String, among all: [String]) -> Member {
        Member(
            .init(id: id, email: "\(id)@example.org", name: id),
            others: Dictionary(uniqueKeysWithValues: all.map { ($0, 0) }), timeToLive: day, pause: 60_000)
    }

    public var random: Seeded
    let conditions: Conditions
    public var members: [String: Member] = [:]
    public var stores: [String: NewestWins] = [:]
    public var skew: [String: Int64] = [:]
    public var offline: Set<String> = []
    public var downServers: Set<Int> = []
    var posts: [Post] = []
    /// What each member could not read yet, by the post's place, and where it has not looked.
    private var unread: [String: [Int]] = [:]
    private var next: [String: Int] = [:]
    public private(set) var uploads: [String: [String: Int]] = [:]
    /// How many messages each member fetched: servers do not know for whom one is, so all of others'.
    public private(set) var downloads: [String: Int] = [:]
    public let ids: [String]

    public init(_ count: Int, seed: UInt64, _ conditions: Conditions = Conditions()) {
        random = Seeded(state: seed)
        self.conditions = conditions
        let all = (0..<count).map { "m\($0)" }
        ids = all.sorted()
        for id in all {
            members[id] = Self.member(id, among: all)
            stores[id] = NewestWins(member: id)
            skew[id] = Int64.random(in: -600_000...600_000, using: &random)
        }
    }

    /// How many messages of a kind all members sent: normal, again, confirm, resend.
    public func sent(_ kind: String) -> Int { uploads.values.reduce(0) { $0 + ($1[kind] ?? 0) } }

    mutating func send(_ messages: [Message], from id: String, at now: Int64) {
        for message in messages {
            let kind: String =
                switch message.content {
                case .update, .delete: message.receiverId == .everybody ? "normal" : "again"
                case .confirm: "confirm"
                case .resend: "resend"
                }
            uploads[id, default: [:]][kind, default: 0] += 1
            var servers: Set<Int> = []
            for server in 0..<conditions.servers
            where !downServers.contains(server) && !random.chance(conditions.loss) { servers.insert(server) }
            if servers.count >= conditions.threshold {
                posts.append(Post(message: message, expires: now + Self.day, servers: servers))
            }
        }
    }

    public mutating func write(_ id: String, _ object: String, _ text: String?, at now: Int64) {
        let local = now + skew[id]!
        if let text {
            let content = stores[id]!.marshall(object, text, at: local)
            send(members[id]!.update("Record", object, content, at: local).sent, from: id, at: now)
        } else {
            let content = stores[id]!.marshallDeletion(object, at: local)
            send(members[id]!.delete("Record", object, content, at: local).sent, from: id, at: now)
        }
    }

    /// Each member that is online reads what is there, in any order, some of it twice.
    public mutating func exchange(at now: Int64) throws {
        for id in ids where !offline.contains(id) {
            let local = now + skew[id]!
            send(members[id]!.tick(at: local).sent, from: id, at: now)
            let found = fetch(id, at: now)
            for index in found {
                let step = members[id]!.receive(posts[index].message, at: local)
                for message in step.delivered {
                    switch message.content {
                    case .update(let content): try stores[id]!.updateRemote(message.objectId, content)
                    case .delete(let content): try stores[id]!.deleteRemote(message.objectId, content)
                    case .confirm, .resend: break
                    }
                }
                send(step.sent, from: id, at: now)
            }
        }
    }

    /// The places of what comes, and is for this member.
    private mutating func fetch(_ id: String, at now: Int64) -> [Int] {
        var waiting = unread.removeValue(forKey: id) ?? []
        for index in next[id, default: 0]..<posts.count
        where posts[index].expires > now && posts[index].message.senderId != id {
            downloads[id, default: 0] += 1
            if posts[index].message.receiverId.include(id) { waiting.append(index) }
        }
        next[id] = posts.count
        var (found, left): ([Int], [Int]) = ([], [])
        for index in waiting where posts[index].expires > now {
            var count = 0
            for server in posts[index].servers.sorted()
            where !downServers.contains(server) && !random.chance(conditions.loss) { count += 1 }
            guard count >= conditions.threshold else {
                left.append(index)
                continue
            }
            found.append(index)
            if random.chance(conditions.duplicates) { found.append(index) }
        }
        unread[id] = left
        if conditions.loss > 0 { found.shuffle(using: &random) }
        return found
    }

    /// A member's process ends and begins again with what it kept.
    public mutating func restart(_ id: String) throws {
        members[id] = try JSONDecoder().decode(Member.self, from: JSONEncoder().encode(members[id]!))
        stores[id] = try JSONDecoder().decode(NewestWins.self, from: JSONEncoder().encode(stores[id]!))
    }

    /// Whether everybody has everything: all numbers without a gap, and the same objects.
    public var isConverged: Bool {
        guard let one = members.values.first?.have, let objects = stores.values.first?.objects else {
            return true
        }
        return members.values.allSatisfy { $0.have == one }
            && stores.values.allSatisfy { $0.objects == objects }
    }
}
