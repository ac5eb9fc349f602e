import EscrowDatabase
import EscrowDiagnostics
import EscrowJSON
import EscrowSharing
import TemporaryFolder
import Testing

@testable import EscrowGroup
@testable import EscrowGroupDevice

/// One server of three does what it likes; the other two are k.
@Suite("Servers that lie or are slow") struct HostileServerTests {
    let servers: FakeServers
    let (a, b): (Device, Device)
    static let now: Int64 = 1_800_000_000_000

    init() throws {
        servers = try FakeServers()
        (a, b) = try servers.devices()
    }

    /// Names that nobody else has, each time others.
    private func flood(_ count: Int, _ length: Int = 200) throws -> () -> [(name: String, bytes: [UInt8])] {
        let scheme = try Scheme(threshold: 2, shares: 3, accepted: 2)
        let share = try scheme.split([UInt8](repeating: 7, count: length))[2].bytes
        var number = 0
        return {
            (0..<count).map { _ in
                number += 1
                return ("liar.n\(number)", share)
            }
        }
    }

    private func waiting(of place: Int) throws -> Int64 {
        try b.store.database.number("SELECT count(*) FROM incoming WHERE place = ?", .integer(Int64(place)))
    }

    @Test func aServerThatLiesFillsNoDiskAndIsNamed() throws {
        servers.places[2].lie = try flood(1500)
        var faults: Set<String> = []
        for round in 0..<6 {
            try a.update("Record", "r\(round)", "{}", at: Self.now)
            _ = try a.sync(at: Self.now)
            let report = try b.sync(at: Self.now + Int64(round))
            faults.formUnion(report.faults[FakeServers.names[2]] ?? [])
            #expect(report.faults.keys.allSatisfy { $0 == FakeServers.names[2] }, "\(report.faults)")
            #expect(try waiting(of: 2) <= 4096)
        }
        #expect(b.objects().count == 6)
        #expect(faults == ["too much"])
        // What the others say nothing of goes, and there is room again.
        let report = try b.sync(at: Self.now + 3_700_000)
        #expect(report.faults[FakeServers.names[2]]?.contains("nobody else's") == true, "\(report.faults)")
        servers.places[2].lie = { [] }
        _ = try b.sync(at: Self.now + 3_700_001)
        #expect(try waiting(of: 2) < 4096)
        let counted = try b.store.faults().map(\.fault)
        #expect(Set(counted) == ["too much", "nobody else's"])
    }

    @Test func whatWaitsOfOneServerIsHeldToItsBytes() throws {
        var waiting = try Waiting(b.store)
        let admitted = [1, 1, 1, 1, 1, 0].map { waiting.admits(16 << 20, of: $0) }
        #expect(admitted == [true, true, true, true, false, true])
        waiting.release(16 << 20, of: 1)
        let again = waiting.admits(16 << 20, of: 1)
        #expect(again)
    }

    /// A server that is down when somebody uploads is no reason to blame the one that took its share.
    @Test func aShareThatWaitsForAServerThatIsAwayIsKept() throws {
        try a.update("Record", "r", "{}", at: Self.now)
        _ = try a.sync(at: Self.now)
        servers.places[0].delay = .seconds(60)
        servers.places[1].delay = .seconds(60)
        #expect(try b.sync(at: Self.now).faults[FakeServers.names[2]] == nil)
        #expect(try waiting(of: 2) > 0)
        #expect(try b.sync(at: Self.now + 3_700_000).faults[FakeServers.names[2]] == nil)
        servers.places[0].delay = .zero
        _ = try b.sync(at: Self.now + 3_700_001)
        #expect(b.objects().map(\.id) == ["r"])
    }

    @Test func aSlowServerKeepsNobodyWaiting() throws {
        servers.places[2].delay = .seconds(19)
        servers.places[2].lie = try flood(1)
        try a.update("Record", "r", "{}", at: Self.now)
        let start = servers.instant
        _ = try a.sync(at: Self.now)
        let report = try b.sync(at: Self.now)
        #expect(b.objects().map(\.id) == ["r"])
        #expect(report.faults == [FakeServers.names[2]: ["slow"]])
        #expect(report.unreachable == [FakeServers.names[2]] && report.waiting == 0)
        #expect(servers.instant - start < .seconds(6))
    }

    @Test func aServerThatAlwaysHasMoreIsNotFollowed() throws {
        servers.places[2].lie = try flood(1)
        try a.update("Record", "r", "{}", at: Self.now)
        _ = try a.sync(at: Self.now)
        let before = servers.places[2].listings
        _ = try b.sync(at: Self.now)
        #expect(b.objects().map(\.id) == ["r"])
        #expect(servers.places[2].listings - before <= 3)
    }

    /// All are as slow as they may be, and always have more that fits together.
    @Test func anExchangeEndsInItsTime() throws {
        let scheme = try Scheme(threshold: 2, shares: 3, accepted: 2)
        let shares = try scheme.split([UInt8](repeating: 7, count: 200)).map(\.bytes)
        for place in 0..<3 {
            servers.places[place].delay = .seconds(2)
            var number = 0
            servers.places[place].lie = {
                number += 1
                return [("liar.n\(number)", shares[place])]
            }
        }
        let start = servers.instant
        _ = try b.sync(at: Self.now)
        #expect(servers.instant - start <= .seconds(20))
    }

    @Test func whoOnlyLooksWaitsForNobody() throws {
        try a.update("Record", "r", #"{"amount":12}"#, at: Self.now)
        // The other process holds the lock, as it does while it waits for servers.
        let look = try Device(reading: "\(servers.folder.path)/a")
        #expect(look.objects().map(\.object) == [#"{"amount":12}"#])
        #expect(try look.description["objects"]?.integer == 1)
        #expect(throws: Diagnostic(.ownFault, "")) { try look.update("Record", "q", "{}", at: Self.now) }
        try a.update("Record", "s", "{}", at: Self.now)
        #expect(look.objects().count == 1)
    }

    // MARK: A member

    /// What a member's own program would never write.
    private func send(_ content: String, _ number: UInt64) throws {
        let message = Message(
            content: .update(content), sequence: number, objectClass: "Record", objectId: "o\(number)",
            receiverId: .everybody, senderId: "a", email: "", name: "", sentTime: 0)
        let sealed = try a.keyring.seal(message)
        try a.step { () throws(Diagnostic) in try a.enqueue(sealed) }
        _ = try a.sync(at: Self.now)
    }

    @Test func aStampWithoutRoomLocksNobodyOut() throws {
        try send(#"{"at":[1152921504606846976,1152921504606846975,"a"],"object":"x"}"#, 1)
        for round in 0..<3 {
            _ = try b.sync(at: Self.now)
            try b.update("Record", "p", "{\"round\":\(round)}", at: Self.now)
        }
        #expect(b.objects().map(\.object) == [#"{"round":2}"#])
        #expect(try Device(reading: "\(servers.folder.path)/b").objects().map(\.id) == ["p"])
    }

    /// Of an earlier version, or of a disk that fails: the device goes on with the rest.
    @Test func anObjectThatCannotBeReadIsLeftOut() throws {
        try b.update("Record", "p", "{}", at: Self.now)
        try b.store.database.run(
            "INSERT INTO object VALUES ('q', 'Record', 0, ?), ('r', 'Record', 0, '{')",
            .text(#"{"at":[1,-1,"a"],"object":"x"}"#))
        let again = try Device(reading: "\(servers.folder.path)/b")
        #expect(again.objects().map(\.id) == ["p"] && again.unreadable == 2)
    }

    /// This device's clock stands at last week: what comes is kept for its time.
    @Test func whatIsOfATimeToComeIsTakenThen() throws {
        let week: Int64 = 7 * 86_400_000
        try a.update("Record", "r", "{}", at: Self.now)
        _ = try a.sync(at: Self.now)
        #expect(try b.sync(at: Self.now - week).changes.isEmpty)
        #expect(b.objects().isEmpty)
        let report = try b.sync(at: Self.now)
        #expect(report.changes.map(\.id) == ["r"] && b.objects().map(\.id) == ["r"])
        #expect(b.writer(of: "r")?.name == "Name of a")
        #expect(try b.store.database.number("SELECT count(*) FROM later") == 0)
    }
}
