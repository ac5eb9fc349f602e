import EscrowGroup
import EscrowJSON
import Testing

@testable import EscrowGroupAnswers

/// Members who say what no honest one does.
@Suite("Hostile members in a question") struct HostileMemberTests {
    /// The asker gives the third member's key as its own: the second one's masks with the two would be one mask, added and
    /// taken off. X25519 takes the flipped key for the same.
    @Test(arguments: [UInt8(0), 0x80]) func whoCopiesAKeyReadsNobody(flipped: UInt8) throws {
        var round = try Round(["a": [0], "b": [1], "c": [1]])
        round.gone = ["a"]
        func say(_ content: Word.Content) throws {
            try round.say(Word(question: round.question.id, sender: "a", content: content))
            while try round.step() {}
        }
        while try round.step() {}
        var key = try #require(round.conversation().keys["c"])
        key[31] ^= flipped
        try say(.key(key))
        try say(.stage(1, ["a", "b", "c"]))
        try say(.dealt([:]))
        try say(.stage(2, ["a", "b", "c"]))
        try say(.masked([0]))
        try say(.stage(3, ["a", "b", "c"]))
        let conversation = try round.conversation()
        #expect(conversation.opened.keys.sorted() == ["b", "c"])
        // What opening gives: b's own mask.
        var rest = try #require(conversation.masked["b"])
        let own = Mask(seed: try #require(round.participants["b"]).own)
        Participant.add(own.residues(1), to: &rest, isNegative: true)
        #expect(rest != [1])
    }

    /// Each pair, and each set, has a mask of its own, which both of the pair make.
    @Test func aMaskIsOfOnePairAndOneSet() throws {
        let round = try Round(["a": [0], "b": [0], "c": [0]])
        var keys: [String: (secret: [UInt8], key: [UInt8])] = [:]
        for member in ["a", "b", "c"] {
            let participant = try #require(round.participants[member])
            keys[member] = (participant.pairs, try #require(participant.publicKey))
        }
        func seed(_ one: String, _ other: String, as name: String? = nil, _ set: UInt8 = 1) -> [UInt8]? {
            Mask(
                secret: keys[one]!.secret, of: one, with: (name ?? other, keys[other]!.key), in: "q",
                among: [set])?.seed
        }
        #expect(seed("a", "b") != nil)
        #expect(seed("a", "b") == seed("b", "a"))
        #expect(seed("a", "b") != seed("a", "b", as: "c"))
        #expect(seed("a", "b") != seed("a", "c"))
        #expect(seed("a", "b") != seed("a", "b", 2))
    }

    /// The id is a digest of what is asked: another ε, bound, plugin, query or asker is another question, and what a device
    /// counted is what it answers.
    @Test func noOtherQuestionIsAskedUnderAnId() throws {
        var round = try Round(["a": [1], "b": [1], "c": [0]])
        let text = String(decoding: JSONWriter.line(round.question.json), as: UTF8.self)
        for (old, new) in [
            ("\"epsilon\":1.0", "\"epsilon\":16.0"), ("\"bound\":1", "\"bound\":2"),
            ("org.example.count", "org.example.names"), ("\"sql\":null", "\"sql\":\"SELECT 1\""),
            ("\"field\":\"count\"", "\"field\":\"sum\""), ("\"asker\":\"a\"", "\"asker\":\"b\""),
        ] {
            let changed = text.replacing(old, with: new)
            #expect(changed != text)
            #expect(throws: AnswerError.question) { try Question(JSONParser.parse(changed)) }
        }
        #expect(try Question(JSONParser.parse(text)) == round.question)
        // Nor does a participant go by another question.
        while try round.step() {}
        let other = try Round(["a": [1], "b": [1], "c": [0]], epsilon: 16)
        var participant = try #require(round.participants["b"])
        #expect(throws: AnswerError.question) {
            try participant.next(
                in: other.conversation(), keys: round.keys["b"]!, members: round.members)
        }
    }

    /// A dealer gives one helper a share of another splitting: the helper's share does not fit, and both are named.
    @Test func whoDealsAWrongShareIsNamedToo() throws {
        var round = try Round(["a": [1], "b": [1], "c": [0], "d": [1]])
        while try round.step() {}
        try round.nameStage()
        _ = try round.step(except: ["d"])
        let conversation = try round.conversation()
        var dealer = try #require(round.participants["d"])
        var twin = dealer
        guard
            case .say(let word) = try dealer.next(
                in: conversation, keys: round.keys["d"]!, members: round.members),
            case .say(let other) = try twin.next(
                in: conversation, keys: round.keys["d"]!, members: round.members),
            case .dealt(var deals) = word.content, case .dealt(let others) = other.content
        else {
            Issue.record("nothing is dealt")
            return
        }
        deals["c"] = others["c"]
        round.participants["d"] = dealer
        try round.say(Word(question: round.question.id, sender: "d", content: .dealt(deals)))
        let answer = try round.answer()
        #expect(answer.sums == [3])
        #expect(answer.faults == [.init(openedBy: "c", dealtBy: "d", what: "stale")])
        #expect(answer.faults.map(\.text) == ["c's share of d's secret is stale"])
    }

    /// The longest word there is, a deal to the most members, is read.
    @Test func aDealToTheMostMembersIsRead() throws {
        let names = (0..<Question.mostMembers).map { "\($0 + 1000)\(String(repeating: "m", count: 60))" }
        let keys = MemberKeys()
        let members = Dictionary(uniqueKeysWithValues: names.map { ($0, keys.identity) })
        let question = try Question(
            asker: names[0], plugin: "p", sql: nil, field: "f", count: 1, least: 3, epsilon: 1, bound: 1,
            nonce: "0123456789abcdef")
        var participant = Participant(question: question.id, member: names[0])
        let key = try #require(participant.publicKey)
        var words = names.map { Word(question: question.id, sender: $0, content: .key(key)) }
        words.append(Word(question: question.id, sender: names[0], content: .asked(question)))
        words.append(Word(question: question.id, sender: names[0], content: .stage(1, names)))
        let conversation = try #require(Conversation(question.id, words))
        guard case .say(let deal) = try participant.next(in: conversation, keys: keys, members: members)
        else {
            Issue.record("nothing is dealt")
            return
        }
        let text = try deal.text(signedBy: keys)
        #expect(text.utf8.count > 5_400_000)
        #expect(text.utf8.count < Word.longest)
        #expect(try Word(text, members: members) == deal)
    }
}
