import EscrowDatabase
import EscrowDiagnostics
import EscrowGroup
import EscrowJSON
import Foundation
import ShareServers
import TemporaryFolder
import Testing

@testable import EscrowGroupDevice

/// Members who go, and those who come a second time.
@Suite("Who is removed, and who is invited again") struct RemovalTests {
    typealias Stage = DeviceTests.Stage

    /// The same server again, at the same place, with what it kept.
    static func again(_ server: ShareServer) throws -> ShareServer {
        let port = try #require(server.address.dropFirst(8).prefix { $0 != "#" }.split(separator: ":").last)
        return try ShareServer(
            ["--folder", server.folder.path + "/data", "--port", String(port)], twin: server)
    }

    static func introduction(_ device: Device) -> Introduction {
        Introduction(device.profile, device.keys.identity)
    }

    /// While servers are down they hold a removed member's key; they are told once they are back, by another process as well.
    @Test func aServerThatWasDownLosesTheRemovedMembersKeyOnceItIsBack() throws {
        let folder = try TemporaryFolder("group")
        let servers = try (0..<3).map { _ in try ShareServer() }
        var owner: Device? = try Stage.begin(
            folder.path + "/o", servers.map(\.address), accepted: 2, 60_000, .newestWins)
        let gone = try Stage.join(folder.path + "/g", try #require(owner), at: 1)
        let stays = try Stage.join(folder.path + "/s", try #require(owner), at: 1)
        _ = try stays.sync(at: 2)
        for server in servers.dropFirst() { server.kill() }
        try owner?.remove(gone.profile.id)
        _ = try owner?.sync(at: 3)
        #expect(try owner?.stillAdmitted[gone.profile.id]?.count == 2)
        // What is asked for a second time is the same removal.
        try owner?.remove(gone.profile.id)
        #expect(owner?.keyring.newest.number == 4)
        owner = nil
        let back = try servers.dropFirst().map(Self.again)
        let reopened = try Device(folder.path + "/o")
        #expect(try reopened.stillAdmitted.count == 1)
        let report = try reopened.sync(at: 4)
        #expect(try reopened.stillAdmitted.isEmpty && report.waiting == 0 && back.count == 2)
        #expect(try reopened.description["stillAdmitted"]?.array == [])
        // The one who stays has not heard of it when they write.
        try stays.update("Record", "r", #"{"text":"after the removal"}"#, at: 5)
        _ = try stays.sync(at: 6)
        let refused = try gone.sync(at: 7)
        #expect(refused.faults.count == 3 && refused.faults.values.allSatisfy { $0 == ["refused"] })
        #expect(DeviceTests.texts(gone).isEmpty)
        _ = try reopened.sync(at: 8)
        #expect(DeviceTests.texts(reopened).count == 1)
        #expect(throws: Diagnostic(.noSuchThing, "")) { try reopened.remove(gone.profile.id) }
    }

    /// Servers that keep a removed member's key, whatever they say: what was written before the others heard of the removal, and
    /// was not sent yet, is not theirs to read.
    @Test func whatIsStillToGoIsSealedAnewForThoseWhoStay() throws {
        let stage = try Stage()
        let (gone, id) = (stage.other, stage.other.profile.id)
        let stays = try Stage.join(stage.folder.path + "/third", stage.owner, at: stage.now)
        _ = try stage.exchange()
        _ = try stays.sync(at: stage.now)
        var kept: [(Database, String, [UInt8])] = []
        for server in stage.servers {
            let database = try Database(server.folder.path + "/data/shares.db", schema: "")
            kept += try database.rows("SELECT circle, access FROM user WHERE node = ?", .text(id)) {
                (database, $0.text(0), $0.bytes(1))
            }
        }
        #expect(kept.count == 3)
        try stays.update("Record", "theirs", "{}", at: stage.now)
        try stage.owner.update("Record", "owners", "{}", at: stage.now)
        try stage.owner.remove(id)
        _ = try stage.owner.sync(at: stage.now)
        for (database, group, access) in kept {
            try database.run("INSERT INTO user VALUES (?, ?, ?)", .text(group), .text(id), .bytes(access))
        }
        // Hears of the removal, and sends what it wrote before.
        _ = try stays.sync(at: stage.now)
        _ = try stage.owner.sync(at: stage.now)
        let report = try gone.sync(at: stage.now)
        #expect(report.faults.isEmpty && report.unreachable.isEmpty)
        // What came before the letter is asked for again.
        #expect(
            try comes(within: 180) {
                stage.now += 10_000
                _ = try stage.owner.sync(at: stage.now)
                _ = try stays.sync(at: stage.now)
                return DeviceTests.texts(stage.owner).count == 2 && DeviceTests.texts(stays).count == 2
            })
        _ = try gone.sync(at: stage.now)
        #expect(DeviceTests.texts(gone).isEmpty)
    }

    /// An invitation that never arrived leaves nobody outside for ever, and nobody else gets in by that name.
    @Test func whoseInvitationWasLostIsInvitedAgain() throws {
        let stage = try Stage()
        let candidate = try Candidate(stage.folder.path + "/third", name: "Cy", email: "")
        let introduction = candidate.introduction
        _ = try stage.owner.invite(introduction, code: introduction.code, at: stage.now)
        try stage.owner.update("Record", "r1", "{}", at: stage.now)
        let other = try Candidate(stage.folder.path + "/fourth", name: "Eve", email: "").introduction
        let forged = Introduction(introduction.profile, other.identity)
        #expect(throws: Diagnostic(.letterRefused, "")) {
            try stage.owner.invite(forged, code: forged.code, at: stage.now)
        }
        let second = try stage.owner.invite(introduction, code: introduction.code, at: stage.now)
        try candidate.join(second, code: second.owner.code)
        let third = try Device(stage.folder.path + "/third")
        #expect(DeviceTests.texts(third) == ["r1": "{}"])
        try third.update("Record", "r2", "{}", at: stage.now)
        _ = try third.sync(at: stage.now)
        _ = try stage.exchange()
        #expect(DeviceTests.texts(stage.owner).count == 2)
        #expect(stage.owner.keyring.newest.members.count == 3)
        let own = Self.introduction(stage.owner)
        #expect(throws: Diagnostic(.letterRefused, "")) {
            try stage.owner.invite(own, code: own.code, at: stage.now)
        }
    }

    /// The invitation had arrived after all: the member takes the other letter, and its new keys at the servers.
    @Test func aMemberWhoIsInvitedAgainGoesOn() throws {
        let stage = try Stage()
        try stage.other.update("Record", "r1", "{}", at: stage.now)
        _ = try stage.exchange()
        let introduction = Self.introduction(stage.other)
        let letter = try stage.owner.invite(introduction, code: introduction.code, at: stage.now)
        // Its keys are those of before no more.
        #expect(try stage.other.sync(at: stage.now).faults.count == 3)
        try stage.other.take(letter)
        try stage.other.update("Record", "r2", "{}", at: stage.now)
        try stage.owner.update("Record", "r3", "{}", at: stage.now)
        _ = try stage.exchange()
        let reports = try stage.exchange()
        #expect(reports.allSatisfy { $0.faults.isEmpty })
        #expect(DeviceTests.texts(stage.owner).count == 3 && DeviceTests.texts(stage.other).count == 3)
    }

    /// Who was removed while a server was down and is invited again keeps the new key there.
    @Test func whoIsInvitedAfterARemovalIsNotShutOutAgain() throws {
        let stage = try Stage()
        let introduction = Self.introduction(stage.other)
        stage.servers[2].kill()
        try stage.owner.remove(introduction.profile.id)
        _ = try stage.owner.sync(at: stage.now)
        #expect(try stage.owner.stillAdmitted[introduction.profile.id]?.count == 1)
        let letter = try stage.owner.invite(introduction, code: introduction.code, at: stage.now)
        #expect(try stage.owner.stillAdmitted.isEmpty)
        try stage.other.take(letter)
        try stage.owner.update("Record", "r1", "{}", at: stage.now)
        _ = try stage.exchange()
        #expect(DeviceTests.texts(stage.other) == ["r1": "{}"])
    }

    /// A member uploads something else to one server alone: the report does not say that the server is the liar.
    @Test func aFaultIsTheServersOrAMembers() throws {
        let stage = try Stage()
        try stage.other.store.database.run(
            "INSERT INTO outgoing(message, place, bytes) VALUES ('x', 0, ?)", .bytes(Array("junk".utf8)))
        _ = try stage.other.sync(at: stage.now)
        let name = String(stage.servers[0].address.dropFirst(8).prefix { $0 != "#" })
        let report = try stage.owner.sync(at: stage.now)
        #expect(report.faults == [name: ["unreadable"]])
        let shown = try #require(try stage.owner.description["servers"]?.array?.first)
        #expect(shown["faultsOf"]?.string == "the server or a member")
    }
}
