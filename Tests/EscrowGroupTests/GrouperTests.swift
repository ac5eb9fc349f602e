import Testing

@testable import EscrowGroup

@Suite("What an app calls") struct GrouperTests {
    final class Wire {
        var messages: [Message] = []
    }

    static func group(_ id: String, _ wire: Wire) -> Grouper<NewestWins> {
        .setup(
            appId: "org.example.accounts", entities: ["Shop", "Record"], dataStack: NewestWins(member: id),
            member: MemberTests.member(id, among: ["a", "b"]), send: { wire.messages += $0 })
    }

    @Test func whatOneWritesTheOtherHas() throws {
        let wire = Wire()
        let (a, b) = (Self.group("a", wire), Self.group("b", wire))
        var called: [String] = []
        b.receiver.receive { called.append($0.objectId) }
        // The record comes before the shop that it refers to.
        try a.sender.update("Record", "r1", "bread at s1", at: 10)
        try a.sender.update("Shop", "s1", "the baker", at: 11)
        for message in wire.messages { b.take(message, at: 12) }
        #expect(called == ["r1", "s1"])
        #expect(b.dataStack.objects == ["r1": "bread at s1", "s1": "the baker"])
        wire.messages = []
        try b.sender.delete("Record", "r1", at: 5)
        b.sender.confirm(at: 20)
        for message in wire.messages { a.take(message, at: 21) }
        // The slow clock of b does not make its deletion older than what it deletes.
        #expect(a.dataStack.objects == ["s1": "the baker"])
        #expect(a.member.keptCount == 0)
    }

    @Test func aClassThatWasNotNamedIsRefusedAndNotTaken() throws {
        let wire = Wire()
        let (a, b) = (Self.group("a", wire), Self.group("b", wire))
        #expect(throws: GroupError.unknownClass) { try a.sender.update("Photo", "p", "x", at: 0) }
        var other = MemberTests.member("a", among: ["a", "b"])
        b.take(other.update("Photo", "p", "{\"at\":[1,0,\"a\"],\"object\":\"x\"}", at: 0).sent[0], at: 0)
        #expect(b.dataStack.objects.isEmpty)
        #expect(b.member.have["a"] == 1)
    }

    @Test func theNewestStandsInWhateverOrderVersionsArrive() throws {
        var (a, b) = (NewestWins(member: "a"), NewestWins(member: "b"))
        let first = a.marshall("o", "one", at: 100)
        try b.updateRemote("o", first)
        let second = b.marshall("o", "two", at: 50)
        let deleted = b.marshallDeletion("p", at: 60)
        let early = a.marshall("p", "three", at: 40)
        for order in [[0, 1], [1, 0], [1, 0, 1, 0]] {
            var c = NewestWins(member: "c")
            for index in order {
                try c.updateRemote("o", [first, second][index])
                if index == 0 { try c.updateRemote("p", early) } else { try c.deleteRemote("p", deleted) }
            }
            #expect(c.objects == ["o": "two"])
        }
        for wrong in ["", "{}", "{\"at\":[1,0,\"a\"]}", "{\"at\":[-1,0,\"a\"],\"object\":\"x\"}"] {
            #expect(throws: GroupError.malformed) { try b.updateRemote("o", wrong) }
        }
    }
}
