import EscrowDatabase
import EscrowDiagnostics
import EscrowGroup
import EscrowJSON
import Foundation
import ShareServers
import TemporaryFolder
import Testing

@testable import EscrowGroupDevice

/// Devices and servers' processes, over TLS on loopback.
@Suite("Devices of a group") struct DeviceTests {
    /// A group of two, at servers of their own.
    final class Stage {
        let folder: TemporaryFolder
        let servers: [ShareServer]
        let owner: Device
        let other: Device
        /// So long that among random bytes, and in a key's base64, none of them is by chance.
        static let (name, otherName, group) = ("Ada Lovelace", "Bob of the tests", "home of the tests")
        /// The members' time; the servers have theirs.
        var now: Int64 = 1_000_000_000_000

        init(
            _ count: Int = 3, accepted: Int = 2, timeToLive: Int64 = 60_000, rule: Rule = .newestWins
        ) throws {
            folder = try TemporaryFolder("group")
            servers = try (0..<count).map { _ in try ShareServer() }
            owner = try Self.begin(
                folder.path + "/owner", servers.map(\.address), accepted: accepted, timeToLive, rule)
            other = try Self.join(folder.path + "/other", owner, at: now)
        }

        static func begin(
            _ folder: String, _ servers: [String], accepted: Int, _ timeToLive: Int64, _ rule: Rule
        ) throws -> Device {
            try Candidate(folder, name: Self.name, email: "ada@example.org").create(
                GroupPlan(
                    name: Self.group, appId: "org.example.accounts", entities: ["Record", "Photo"],
                    rule: rule,
                    timeToLive: timeToLive, servers: servers, threshold: 2, accepted: accepted))
            return try Device(folder)
        }

        static func join(_ folder: String, _ owner: Device, at now: Int64) throws -> Device {
            let candidate = try Candidate(folder, name: Self.otherName, email: "bob@example.org")
            let introduction = candidate.introduction
            let invitation = try owner.invite(introduction, code: introduction.code, at: now)
            try candidate.join(invitation, code: invitation.owner.code)
            return try Device(folder)
        }

        func exchange() throws -> [SyncReport] {
            now += 1000
            return try [owner.sync(at: now), other.sync(at: now), owner.sync(at: now)]
        }
    }

    static func texts(_ device: Device) -> [String: String] {
        Dictionary(uniqueKeysWithValues: device.objects().map { ($0.id, $0.object) })
    }

    @Test func whatOneWritesTheOtherHas() throws {
        let stage = try Stage()
        try stage.owner.update("Record", "r1", #"{"amount":12}"#, at: stage.now)
        try stage.other.update("Record", "r2", #"{"amount":7}"#, at: stage.now)
        _ = try stage.exchange()
        let reports = try stage.exchange()
        #expect(reports.allSatisfy { $0.faults.isEmpty && $0.unreachable.isEmpty && $0.waiting == 0 })
        #expect(Self.texts(stage.owner) == ["r1": #"{"amount":12}"#, "r2": #"{"amount":7}"#])
        #expect(Self.texts(stage.other) == Self.texts(stage.owner))
        try stage.owner.delete("Record", "r2", at: stage.now)
        _ = try stage.exchange()
        #expect(Self.texts(stage.other) == ["r1": #"{"amount":12}"#])
        #expect(throws: Diagnostic(.objectUnfit, "")) { try stage.owner.update("Shop", "s", "{}", at: 0) }
        #expect(throws: Diagnostic(.objectUnfit, "")) { try stage.owner.update("Photo", "r1", "{}", at: 0) }
        #expect(throws: Diagnostic(.noSuchThing, "")) { try stage.owner.delete("Record", "r2", at: 0) }
    }

    /// A canary, its name, and the people's: nowhere at the servers; in the members' own files it is.
    @Test func serversHoldNothingThatCanBeRead() throws {
        let stage = try Stage()
        let canary = "canary-\(UUID().uuidString)"
        try stage.owner.update("Record", canary + "-id", "{\"text\":\"\(canary)\"}", at: stage.now)
        _ = try stage.exchange()
        #expect(Self.texts(stage.other).values.contains { $0.contains(canary) })
        for server in stage.servers {
            for word in [
                canary, Stage.name, "ada@example.org", Stage.otherName, "org.example.accounts", "Record",
                Stage.group,
            ] {
                #expect(try !server.holds(word.utf8), "\(word)")
            }
            // Nor in their memory; a short word is there for other reasons.
            let words = [canary, "ada@example.org", "org.example.accounts"].map { Array($0.utf8) }
            #expect(try server.remembered(of: words).isEmpty)
        }
        let own = try Data(contentsOf: stage.folder.url.appending(path: "other/group.db"))
        let log = try Data(contentsOf: stage.folder.url.appending(path: "other/group.db-wal"))
        #expect((own + log).range(of: Data(canary.utf8)) != nil)
    }

    /// All that a server has of a group, and what follows from it: who of how many sent how much, and when.
    @Test func aServerLearnsWhoWhenAndHowMuch() throws {
        let stage = try Stage()
        for number in 0..<8 {
            try stage.owner.update(
                "Record", "r\(number)", "{\"note\":\"\(String(repeating: "x", count: number * 20))\"}",
                at: stage.now)
        }
        try stage.other.update(
            "Photo", "p", "{\"bytes\":\"\(String(repeating: "x", count: 50_000))\"}", at: stage.now)
        try stage.owner.delete("Record", "r0", at: stage.now)
        _ = try stage.exchange()
        let database = try Database(stage.servers[0].folder.path + "/data/shares.db", schema: "")
        let rows = try database.rows("SELECT node, length(bytes), uploaded FROM share ORDER BY number") {
            (node: $0.text(0), length: $0.integer(1), uploaded: $0.integer(2))
        }
        // Leaks: the members' number and which of them sent each message, by a name that stays; the time, to the millisecond.
        #expect(Set(rows.map(\.node)) == [stage.owner.profile.id, stage.other.profile.id])
        // Nine changes, and what confirms and lets in.
        #expect(rows.filter { $0.node == stage.owner.profile.id }.count > 9)
        #expect(rows.allSatisfy { $0.uploaded > 1_700_000_000_000 })
        // Leaks: that the second sent something large, and how large to a few per cent. Updates, deletions and confirms else look
        // alike; nothing says for whom a message is.
        let lengths = Dictionary(grouping: rows, by: \.length).mapValues(\.count)
        #expect(lengths.count == 2, "\(lengths)")
        #expect(lengths.values.contains(rows.count - 1), "\(lengths)")
        let columns = try database.rows("SELECT name FROM pragma_table_info('share')") { $0.text(0) }
        #expect(columns == ["number", "circle", "message", "node", "uploaded", "expires", "bytes"])
    }

    /// One server lies, one is dead: the liar is named with what is wrong, k = 2 of 4 are enough.
    @Test(arguments: ["altered", "unreadable", "stale", "foreign"])
    func aLiarIsNamedAndTheRestGoesOn(lie: String) throws {
        let stage = try Stage(4)
        for id in ["r1", "r2"] { try stage.owner.update("Record", id, #"{"amount":12}"#, at: stage.now) }
        #expect(try stage.owner.sync(at: stage.now).waiting == 0)
        stage.servers[1].kill()
        func database(_ index: Int) throws -> Database {
            try Database(stage.servers[index].folder.path + "/data/shares.db", schema: "")
        }
        let liar = try database(2)
        switch lie {
        case "altered":
            try liar.run(
                "UPDATE share SET bytes = CAST(substr(bytes, 1, length(bytes) - 1) || x'00' AS BLOB)")
        case "unreadable": try liar.run("UPDATE share SET bytes = x'0102'")
        // Another message's share, and another server's.
        case "stale":
            try liar.run(
                "UPDATE share SET bytes = (SELECT bytes FROM share AS a WHERE a.number <> share.number LIMIT 1)"
            )
        default:
            for (message, bytes) in try database(3).rows(
                "SELECT message, bytes FROM share", read: { ($0.text(0), $0.bytes(1)) })
            {
                try liar.run("UPDATE share SET bytes = ? WHERE message = ?", .bytes(bytes), .text(message))
            }
        }
        let report = try stage.other.sync(at: stage.now)
        #expect(Self.texts(stage.other) == ["r1": #"{"amount":12}"#, "r2": #"{"amount":12}"#])
        func name(_ index: Int) -> String {
            String(stage.servers[index].address.dropFirst(8).prefix { $0 != "#" })
        }
        #expect(report.faults == [name(2): [lie]])
        #expect(report.unreachable == [name(1)])
        let servers = try #require(stage.other.description["servers"]?.array)
        #expect(servers[2]["faults"]?[lie]?.integer == 1)
    }

    /// With s = n an upload waits for a server that is down, and goes on when it is there again.
    @Test func receiverFirstWaitsForEveryServer() throws {
        let stage = try Stage(3, accepted: 3)
        stage.servers[0].kill()
        try stage.owner.update("Record", "r1", "{}", at: stage.now)
        #expect(try stage.owner.sync(at: stage.now).waiting > 0)
        // Two have it, which is enough to read it.
        _ = try stage.other.sync(at: stage.now)
        #expect(Self.texts(stage.other) == ["r1": "{}"])
        let first = try Stage(3, accepted: 2)
        first.servers[0].kill()
        try first.owner.update("Record", "r1", "{}", at: first.now)
        #expect(try first.owner.sync(at: first.now).waiting == 0)
    }

    /// Away for longer than servers keep anything: what was missed is asked for and sent again.
    @Test func whoWasAwayMissesNothing() throws {
        // Long enough that what is sent again is fetched before it is forgotten, on a machine that is slow as well.
        let stage = try Stage(3, timeToLive: 4_000)
        for number in 0..<5 {
            try stage.owner.update("Record", "r\(number)", "{}", at: stage.now)
            _ = try stage.owner.sync(at: stage.now)
            stage.now += 1_000
        }
        // All of it is gone from the servers.
        #expect(
            try comes(within: 180) {
                try stage.servers.allSatisfy { server in
                    let database = try Database(server.folder.path + "/data/shares.db", schema: "")
                    return try database.number("SELECT count(*) FROM share") == 0
                }
            })
        #expect(
            try comes(within: 180) {
                stage.now += 14_000
                _ = try stage.exchange()
                return Self.texts(stage.other).count == 5
            })
        // And once it is confirmed, nobody keeps it to send it again.
        #expect(
            try comes(within: 180) {
                stage.now += 14_000
                _ = try stage.exchange()
                return stage.owner.grouper.member.keptCount == 0
            })
    }

    @Test func whoJoinsHasTheDataAndWhoIsRemovedHearsNoMore() throws {
        let stage = try Stage()
        try stage.owner.update("Record", "r1", "{}", at: stage.now)
        try stage.other.update("Record", "r2", "{}", at: stage.now)
        _ = try stage.exchange()
        let third = try Stage.join(stage.folder.path + "/third", stage.owner, at: stage.now)
        #expect(Self.texts(third) == ["r1": "{}", "r2": "{}"])
        try third.update("Record", "r3", "{}", at: stage.now)
        _ = try third.sync(at: stage.now)
        #expect(
            try comes(within: 180) {
                _ = try stage.exchange()
                _ = try third.sync(at: stage.now)
                return Self.texts(stage.other).count == 3 && Self.texts(stage.owner).count == 3
            })
        // The owner shuts the second out; the third hears on, the second nothing, and is heard by nobody.
        try stage.owner.remove(stage.other.profile.id)
        try stage.owner.update("Record", "r4", "{}", at: stage.now)
        try stage.other.update("Record", "r5", "{}", at: stage.now)
        #expect(
            try comes(within: 180) {
                stage.now += 10_000
                _ = try stage.owner.sync(at: stage.now)
                _ = try third.sync(at: stage.now)
                return Self.texts(third)["r4"] != nil
            })
        let report = try stage.other.sync(at: stage.now)
        #expect(report.faults.values.allSatisfy { $0 == ["refused"] } && report.faults.count == 3)
        #expect(Self.texts(stage.other)["r4"] == nil)
        #expect(Self.texts(stage.owner)["r5"] == nil && Self.texts(third)["r5"] == nil)
        // And the third leaves.
        try third.leave(at: stage.now)
        _ = try third.sync(at: stage.now)
        _ = try stage.owner.sync(at: stage.now)
        #expect(stage.owner.keyring.newest.members.count == 1)
        #expect(throws: Diagnostic(.notTheOwner, "")) { try third.remove(stage.owner.profile.id) }
    }

    /// All servers die with what was under way; the group goes on at others, and nothing is lost.
    @Test func aGroupMovesWithoutLoss() throws {
        let stage = try Stage()
        try stage.owner.update("Record", "r1", "{}", at: stage.now)
        _ = try stage.exchange()
        try stage.other.update("Record", "r2", "{}", at: stage.now)
        _ = try stage.other.sync(at: stage.now)
        for server in stage.servers { server.kill() }
        try stage.owner.update("Record", "r3", "{}", at: stage.now)
        let new = try (0..<2).map { _ in try ShareServer() }
        let letters = try stage.owner.move(
            to: new.map(\.address), threshold: 2, accepted: 2, at: stage.now)
        try stage.other.take(try #require(letters[stage.other.profile.id]))
        #expect(
            try comes(within: 180) {
                stage.now += 20_000
                _ = try stage.exchange()
                return Self.texts(stage.owner).count == 3 && Self.texts(stage.other).count == 3
            })
        #expect(throws: Diagnostic(.letterRefused, "")) {
            try stage.other.take(try #require(letters[stage.other.profile.id]))
        }
    }

    @Test func aDeviceGoesOnInAnotherProcess() throws {
        let folder = try TemporaryFolder("group")
        let servers = try (0..<2).map { _ in try ShareServer() }
        var owner: Device? = try Stage.begin(
            folder.path + "/o", servers.map(\.address), accepted: 2, 60_000, .merging)
        let other = try Stage.join(folder.path + "/m", try #require(owner), at: 1)
        try owner?.update("Record", "r", #"{"tags":["x"]}"#, at: 1)
        owner = nil
        let again = try Device(folder.path + "/o")
        #expect(Self.texts(again) == ["r": #"{"tags":["x"]}"#])
        #expect(again.grouper.member.keptCount == 1)
        try again.update("Record", "r", #"{"tags":["x","y"]}"#, at: 2)
        _ = try again.sync(at: 3)
        _ = try other.sync(at: 3)
        #expect(Self.texts(other) == ["r": #"{"tags":["x","y"]}"#])
        #expect(throws: Diagnostic(.objectUnfit, "")) { try again.update("Record", "q", "1", at: 4) }
    }

    /// Whoever changes the file on its way is found by the codes, or by the seal.
    @Test func anInvitationOfAnotherIsRefused() throws {
        let stage = try Stage(2)
        let candidate = try Candidate(stage.folder.path + "/third", name: "Eve", email: "")
        let introduction = candidate.introduction
        #expect(throws: Diagnostic(.letterRefused, "")) {
            try stage.owner.invite(introduction, code: "0000-0000-0000-0000-0000", at: 1)
        }
        let invitation = try stage.owner.invite(introduction, code: introduction.code, at: 1)
        #expect(throws: Diagnostic(.letterRefused, "")) { try candidate.join(invitation, code: "") }
        let forged = Invitation(owner: introduction, letter: invitation.letter)
        #expect(throws: Diagnostic(.letterRefused, "")) {
            try candidate.join(forged, code: introduction.code)
        }
        try candidate.join(invitation, code: invitation.owner.code)
        #expect(throws: Diagnostic(.groupExists, "")) {
            _ = try Candidate(stage.folder.path + "/other", name: "", email: "")
        }
        for code in [Diagnostic.Code.groupExists, .notTheOwner, .objectUnfit] {
            #expect(code.exitStatus == .usage)
        }
        #expect(Diagnostic.Code.letterRefused.exitStatus == .untrusted)
        #expect(Diagnostic.Code.tooFewServers.exitStatus == .serverFailed)
        #expect(Diagnostic.Code.groupUnfit.exitStatus == .fault)
    }

    @Test func serversThatMakeNoSchemeAreRefused() throws {
        let folder = try TemporaryFolder("group")
        let servers = try (0..<2).map { _ in try ShareServer() }
        let addresses = servers.map(\.address)
        for (index, wrong) in [[addresses[0]], [addresses[0], addresses[0]], ["https://x"], []].enumerated() {
            #expect(throws: Diagnostic(.tooFewServers, "")) {
                try Stage.begin("\(folder.path)/\(index)", wrong, accepted: 2, 1000, .merging)
            }
        }
        servers[1].kill()
        #expect(throws: Diagnostic(.tooFewServers, "")) {
            try Stage.begin("\(folder.path)/down", addresses, accepted: 2, 1000, .merging)
        }
    }
}
