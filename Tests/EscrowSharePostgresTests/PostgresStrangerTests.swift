import EscrowShareService
import TemporaryFolder
import Testing

@testable import EscrowSharePostgres

/// What both stores do against members and groups that take too much.
@Suite("Strangers and removed members in both stores", .serialized) struct PostgresStrangerTests {
    static let hour: Int64 = 3_600_000

    private static func share(_ message: String, of node: String, _ count: Int = 100, in group: String = "g")
        -> NewShare
    {
        NewShare(
            group: group, message: message, node: node, bytes: [UInt8](repeating: 1, count: count), at: 0)
    }

    @Test func aMemberHasItsPartAndARemovedOneLeavesNothing() throws {
        guard let server = try PostgresServer() else { return }
        let folder = try TemporaryFolder("share-store")
        for store in [try PostgresStore(server.words), try FileStore(folder.path + "/shares.db")]
            as [any ShareStore]
        {
            #expect(try store.begin("g", owner: "o", timeToLive: 1000, master: [1], access: [2]))
            try store.admit("bad", to: "g", access: [3])
            try store.admit("good", to: "g", access: [4])
            let quota = ShareQuota(group: 1000, member: 100)
            for number in 0..<3 {
                #expect(try store.put(Self.share("m\(number)", of: "bad"), atMost: quota) == .kept)
            }
            #expect(try store.put(Self.share("m3", of: "bad"), atMost: quota) == .full)
            #expect(try store.put(Self.share("m0", of: "good", 300), atMost: quota) == .kept)
            #expect(try store.put(Self.share("m0", of: "o", 400), atMost: quota) == .kept)
            #expect(try store.put(Self.share("m1", of: "o", 1), atMost: quota) == .full)
            try store.expel("bad", from: "g")
            let left = try store.shares(of: "g", after: 0, for: "x", at: 0, atMost: 5000)
            #expect(left.entries.map(\.message) == ["good.m0", "o.m0"])
            #expect(try store.put(Self.share("m1", of: "o", 300), atMost: quota) == .kept)
            // What is beside a share counts for all groups together.
            let last = Self.share("m2", of: "o", 1)
            #expect(try store.put(last, atMost: .init(group: 5000, member: 1, total: 2024)) == .full)
            #expect(try store.put(last, atMost: .init(group: 5000, member: 1, total: 2025)) == .kept)
            try store.end("g")
        }
    }

    /// Another server looked the key up, and then the member was removed.
    @Test func aShareThatComesAfterItsMembersRemovalIsNotKept() throws {
        guard let server = try PostgresServer() else { return }
        let store = try PostgresStore(server.words)
        #expect(try store.begin("g", owner: "o", timeToLive: 1000, master: [1], access: [2]))
        try store.admit("m", to: "g", access: [3])
        #expect(try store.put(Self.share("a", of: "m"), atMost: 10_000) == .kept)
        let connection = Connection(server.words)
        let key = try connection.rows("SELECT key FROM share_key").first?[0].bytes ?? []
        try PostgresStore(server.words).expel("m", from: "g")
        #expect(try store.put(Self.share("b", of: "m"), atMost: 10_000) == .full)
        #expect(try connection.rows("SELECT 1 FROM share").isEmpty)
        try connection.execute("CHECKPOINT")
        #expect(try key.count == 32 && !server.holds(key))
    }

    @Test func aGroupThatNobodyUsesGoesAndOneThatIsUsedStays() throws {
        guard let server = try PostgresServer() else { return }
        let folder = try TemporaryFolder("share-store")
        for store in [try PostgresStore(server.words), try FileStore(folder.path + "/shares.db")]
            as [any ShareStore]
        {
            for group in ["used", "unused", "before"] {
                #expect(try store.begin(group, owner: "o", timeToLive: 1000, master: [1], access: [2]))
            }
            // Of the one that the version before began nothing is written down.
            for group in ["used", "unused"] { try store.use(group, at: 0) }
            #expect(try store.put(Self.share("a", of: "o", in: "unused"), atMost: 10_000) == .kept)
            for hour in 0...23 { try store.letGo(at: Int64(hour) * Self.hour, least: 24 * Self.hour) }
            try store.use("used", at: 23 * Self.hour)
            #expect(try store.groups() == 3)
            try store.letGo(at: 24 * Self.hour, least: 24 * Self.hour)
            #expect(try store.groups() == 1)
            #expect(try store.members(of: "used") == 1 && store.members(of: "unused") == 0)
            // After a month without a server nobody lost anything.
            try store.letGo(at: 30 * 24 * Self.hour, least: 24 * Self.hour)
            #expect(try store.groups() == 1)
        }
    }
}
