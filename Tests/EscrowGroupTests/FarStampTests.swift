import Testing

@testable import EscrowGroup

/// A member says that it wrote at the end of all time, so that nothing comes after it.
@Suite("Stamps of a time to come") struct FarStampTests {
    static let now: Int64 = 1_800_000_000_000
    static let day = Stamp.farthest

    /// What the rule writes for an object with this stamp.
    static func content(_ rule: Rule, _ time: Int64, _ count: Int64, value: String = "9") -> String {
        let at = "[\(time),\(count),\"m\"]"
        return switch rule {
        case .newestWins: #"{"at":\#(at),"object":"{\"a\":\#(value)}"}"#
        case .merging: #"{"seen":[\#(at)],"values":{"a":{"at":\#(at),"value":\#(value)}},"sets":{}}"#
        }
    }

    static func kept(_ rule: Rule, _ time: Int64, _ count: Int64) -> ObjectVersion {
        ObjectVersion(isDeleted: false, content: content(rule, time, count))
    }

    @Test(arguments: Rule.allCases) func aStampThatLeavesNoRoomIsRefused(rule: Rule) throws {
        var replica = Replica(rule, member: "a")
        for (time, count) in [(Int64(1) << 60, Int64(1) << 60 - 1), (Self.now, 1 << 32 + 1)] {
            #expect(throws: GroupError.malformed) {
                try replica.updateRemote("o", Self.content(rule, time, count), at: Self.now)
            }
        }
        #expect(throws: GroupError.ahead(due: 1 << 60 - Self.day)) {
            try replica.updateRemote("o", Self.content(rule, 1 << 60, 0), at: Self.now)
        }
        #expect(throws: GroupError.ahead(due: Self.now + 1)) {
            try replica.updateRemote("o", Self.content(rule, Self.now + Self.day + 1, 0), at: Self.now)
        }
        #expect(replica.objects.isEmpty)
        // The clock did not go along.
        let own = try replica.marshall("o", #"{"a":1}"#, at: Self.now)
        var other = Replica(rule, member: "b")
        try other.updateRemote("o", own, at: Self.now)
    }

    /// The greatest that is taken: what is written after it is still taken by others, and read again here.
    @Test(arguments: Rule.allCases) func whatIsWrittenAfterTheGreatestStampIsTaken(rule: Rule) throws {
        var replica = Replica(rule, member: "a")
        try replica.updateRemote("o", Self.content(rule, Self.now + Self.day, 1 << 32), at: Self.now)
        for value in 0..<3 {
            let own = try replica.marshall("o", #"{"a":\#(value)}"#, at: Self.now + 10)
            var other = Replica(rule, member: "b")
            try other.updateRemote("o", own, at: Self.now + 10)
            var again = Replica(rule, member: "a")
            try again.take(try #require(replica.version(of: "o")), of: "o")
            #expect(again.objects == ["o": #"{"a":\#(value)}"#] && other.objects == again.objects)
        }
    }

    /// A home that took such a stamp before it was refused, or whose own clock was wrong: every member goes on.
    @Test(arguments: Rule.allCases, [Int64(1) << 60, Int64.max])
    func whatIsKeptIsReadAndWrittenAfter(rule: Rule, far: Int64) throws {
        var (a, b) = (Replica(rule, member: "a"), Replica(rule, member: "b"))
        try a.take(Self.kept(rule, far, far), of: "o")
        try b.take(Self.kept(rule, far, far), of: "o")
        #expect(a.objects == ["o": #"{"a":9}"#])
        try b.updateRemote("o", a.marshall("o", #"{"a":1}"#, at: Self.now), at: Self.now)
        #expect(a.objects == ["o": #"{"a":1}"#] && b.objects == a.objects)
        try a.updateRemote("o", b.marshall("o", #"{"a":2}"#, at: Self.now), at: Self.now)
        #expect(a.objects == ["o": #"{"a":2}"#] && b.objects == a.objects)
        // Another object was not held up.
        try b.updateRemote("p", a.marshall("p", #"{"a":3}"#, at: Self.now + 1), at: Self.now)
        for replica in [a, b] {
            var again = Replica(rule, member: "a")
            for id in ["o", "p"] where replica.version(of: id) != nil {
                try again.take(try #require(replica.version(of: id)), of: id)
            }
            #expect(again.objects == replica.objects)
        }
    }

    /// A device's clock stood at last week: what comes waits for the clock, and is lost to nobody.
    @Test func aSlowClockLosesNothing() throws {
        let wire = GrouperTests.Wire()
        let (a, b) = (GrouperTests.group("a", wire), GrouperTests.group("b", wire))
        var waiting: [(message: Message, due: Int64)] = []
        b.receiver.wait { waiting.append(($0, $1)) }
        try a.sender.update("Record", "r", "a no", at: Self.now)
        for message in wire.messages { b.take(message, at: Self.now - 7 * Self.day) }
        #expect(b.dataStack.objects.isEmpty)
        #expect(waiting.map(\.due) == [Self.now - Self.day])
        let message = try #require(waiting.first).message
        b.takeAgain(message, at: Self.now)
        #expect(b.dataStack.objects == ["r": "a no"])
        // Of one who was shut out meanwhile nothing is taken.
        try a.sender.update("Record", "s", "x", at: Self.now)
        for message in wire.messages { b.take(message, at: Self.now - 7 * Self.day) }
        b.remove("a")
        for (message, _) in waiting { b.takeAgain(message, at: Self.now) }
        #expect(b.dataStack.objects == ["r": "a no"])
    }
}
