import Foundation

@testable import EscrowGroup

/// Members and servers in one process, with a clock of its own. A server keeps its share of a message until the time to live is
/// over; a message is read when k of its shares came.
struct Network {
    struct Post {
        let message: Message
        let expires: Int64
        /// Which servers took their share.
        var servers: Set<Int>
    }

    struct Conditions {
        var loss = 0
        var duplicates = 0
        var threshold = 3
        var servers = 5
    }

    var random: Seeded
    let conditions: Conditions
    var members: [String: Member] = [:]
    var stores: [String: NewestWins] = [:]
    var skew: [String: Int64] = [:]
    var offline: Set<String> = []
    var downServers: Set<Int> = []
    var posts: [Post] = []
    /// What each member read already, by the post's place, and what it still has to be given.
    var seen: [String: Set<Int>] = [:]
    var uploads: [String: [String: Int]] = [:]
    var first = 0

    init(_ count: Int, seed: UInt64, _ conditions: Conditions = Conditions()) {
        random = Seeded(state: seed)
        self.conditions = conditions
        let all = (0..<count).map { "m\($0)" }
        for id in all {
            members[id] = MemberTests.member(id, among: all)
            stores[id] = NewestWins(member: id)
            skew[id] = Int64.random(in: -600_000...600_000, using: &random)
        }
    }

    var ids: [String] { members.keys.sorted() }

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
                posts.append(Post(message: message, expires: now + MemberTests.day, servers: servers))
            }
        }
    }

    mutating func write(_ id: String, _ object: String, _ text: String?, at now: Int64) {
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
    mutating func exchange(at now: Int64) throws {
        while first < posts.count, posts[first].expires <= now { first += 1 }
        for id in ids where !offline.contains(id) {
            let local = now + skew[id]!
            send(members[id]!.tick(at: local).sent, from: id, at: now)
            var found: [Int] = []
            for index in first..<posts.count {
                let post = posts[index]
                guard post.expires > now, post.message.senderId != id, post.message.receiverId.include(id),
                    !seen[id, default: []].contains(index)
                else { continue }
                var count = 0
                for server in post.servers.sorted()
                where !downServers.contains(server) && !random.chance(conditions.loss) { count += 1 }
                guard count >= conditions.threshold else { continue }
                found.append(index)
                if random.chance(conditions.duplicates) { found.append(index) }
                seen[id, default: []].insert(index)
            }
            if conditions.loss > 0 { found.shuffle(using: &random) }
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

    /// A member's process ends and begins again with what it kept.
    mutating func restart(_ id: String) throws {
        members[id] = try JSONDecoder().decode(Member.self, from: JSONEncoder().encode(members[id]!))
        stores[id] = try JSONDecoder().decode(NewestWins.self, from: JSONEncoder().encode(stores[id]!))
    }

    /// Whether everybody has everything: all numbers without a gap, and the same objects.
    var isConverged: Bool {
        let all = members.values.map(\.have)
        let objects = stores.values.map(\.objects)
        return all.allSatisfy { $0 == all[0] } && objects.allSatisfy { $0 == objects[0] }
    }
}
