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

    /// Words of a question: each member says its own and once, and nobody deletes one or puts an object in its place.
    @Test func aWordIsItsSendersAndStands() throws {
        typealias Group = Grouper<NewestWins>
        let wire = Wire()
        let c = Group.setup(
            appId: "org.example.accounts", entities: ["Record"], dataStack: NewestWins(member: "c"),
            member: MemberTests.member("c", among: ["a", "b", "c"]), send: { wire.messages += $0 })
        var (a, b) = (
            MemberTests.member("a", among: ["a", "b", "c"]), MemberTests.member("b", among: ["a", "b", "c"])
        )
        func text(_ time: Int, _ object: String) -> String {
            "{\"at\":[\(time),0,\"x\"],\"object\":\"\(object)\"}"
        }
        let id = Group.wordId("q/0-asked/a")
        c.take(b.update(Group.answers, id, text(1, "forged"), at: 0).sent[0], at: 9)
        #expect(c.dataStack.objects.isEmpty)
        c.take(a.update(Group.answers, id, text(2, "first"), at: 0).sent[0], at: 9)
        for message in [
            a.update(Group.answers, id, text(3, "second"), at: 0).sent[0],
            b.update(Group.answers, id, text(4, "forged"), at: 0).sent[0],
            b.update("Record", id, text(5, "forged"), at: 0).sent[0],
            b.delete(Group.answers, id, "{\"at\":[6,0,\"x\"]}", at: 0).sent[0],
            b.delete("Record", id, "{\"at\":[7,0,\"x\"]}", at: 0).sent[0],
            a.delete(Group.answers, id, "{\"at\":[8,0,\"x\"]}", at: 0).sent[0],
            b.update(Group.answers, "q/0-asked/b", text(9, "elsewhere"), at: 0).sent[0],
        ] { c.take(message, at: 9) }
        #expect(c.dataStack.objects == [id: "first"])
        #expect(throws: GroupError.unknownClass) { try c.sender.update("Record", id, "x", at: 9) }
        #expect(throws: GroupError.unknownClass) { try c.sender.delete(Group.answers, id, at: 9) }
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
