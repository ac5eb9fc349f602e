import GroupNetwork
import Testing

@testable import EscrowGroup

@Suite("A member of a group") struct MemberTests {
    static let day = Network.day

    static func member(_ id: String, among all: [String]) -> Member { Network.member(id, among: all) }

    static func pair() -> (Member, Member) {
        (member("a", among: ["a", "b"]), member("b", among: ["a", "b"]))
    }

    /// The second message is lost, and so is what was sent again: the printed algorithm never asks a second time.
    @Test func aGapIsAskedForUntilItIsFilled() throws {
        var (a, b) = Self.pair()
        let sent = (1...3).map { a.update("Record", "r\($0)", "x", at: 0).sent[0] }
        #expect(b.receive(sent[0], at: 0).sent.isEmpty)
        let asked = b.receive(sent[2], at: 0)
        #expect(asked.delivered == [sent[2]])
        #expect(asked.sent.map(\.content) == [.resend(2...2)])
        #expect(b.receive(sent[2], at: 1) == Member.Step())
        #expect(a.receive(asked.sent[0], at: 2).sent.map(\.sequence) == [2])
        // That answer is lost.
        let again = b.receive(a.confirm(at: 100_000).sent[0], at: 100_000)
        #expect(again.sent.map(\.content) == [.resend(2...2)])
        let answer = a.receive(again.sent[0], at: 100_001).sent
        #expect(answer.map(\.receiverId) == [.some(["b"])])
        #expect(b.receive(answer[0], at: 100_002).delivered.map(\.objectId) == ["r2"])
        #expect(b.have["a"] == 3)
        #expect(b.receive(answer[0], at: 100_003) == Member.Step())
    }

    @Test func theAlgorithmAsPrintedKeepsTheGapForEver() {
        var (a, b) = (PrintedMember(id: "a"), PrintedMember(id: "b"))
        let sent = (1...3).map { _ in a.update(at: 0) }
        _ = b.receive(sent[0], at: 0)
        let asked = b.receive(sent[2], at: 0)
        // The range holds the message that just came.
        #expect(asked.map(\.content) == [.resend(2...3)])
        for day in 1...100 { #expect(b.receive(a.confirm(at: Int64(day)), at: Int64(day)).isEmpty) }
        #expect(b.history["a"] == [1, 3])
    }

    @Test func theLastMessageIsMissedNoLessThanOthers() {
        var (a, b) = Self.pair()
        _ = a.update("Record", "r", "x", at: 0)
        #expect(b.receive(a.confirm(at: 1).sent[0], at: 1).sent.map(\.content) == [.resend(1...1)])
    }

    @Test func messagesAreKeptUntilEverybodyConfirmedThem() {
        let all = ["a", "b", "c"]
        var (a, b, c) = (
            Self.member("a", among: all), Self.member("b", among: all), Self.member("c", among: all)
        )
        for number in 1...10 {
            let message = a.update("Record", "\(number)", "x", at: 0).sent[0]
            _ = b.receive(message, at: 0)
            if number <= 4 { _ = c.receive(message, at: 0) }
        }
        _ = a.receive(b.confirm(at: 1).sent[0], at: 1)
        #expect(a.keptCount == 10)
        _ = a.receive(c.confirm(at: 1).sent[0], at: 1)
        #expect(a.keptCount == 6)
        a.remove("c")
        #expect(a.keptCount == 0)
        #expect(a.receive(c.update("Record", "late", "x", at: 2).sent[0], at: 2) == Member.Step())
    }

    @Test func aConfirmGoesOutOnceInTheTimeToLive() {
        var (a, _) = Self.pair()
        let sent = (0..<96).map { a.tick(at: $0 * Self.day / 24).sent.count }
        #expect(sent.reduce(0, +) == 4)
        // A clock that was set back does not silence the member.
        #expect(a.tick(at: 0).sent.count == 1)
    }

    @Test func numbersThatSayAnythingCostNothing() {
        var (a, b) = Self.pair()
        let first = a.update("Record", "r", "x", at: 0).sent[0]
        let ask = Message(
            content: .resend(1...UInt64(Int64.max)), sequence: 0, objectClass: "", objectId: "",
            receiverId: .everybody, senderId: "b", email: "", name: "", sentTime: 0)
        #expect(a.receive(ask, at: 0).sent.count == 1)
        let far = Message(
            content: .update("x"), sequence: UInt64(Int64.max) - 1, objectClass: "Record", objectId: "r",
            receiverId: .everybody, senderId: "a", email: "", name: "", sentTime: 0)
        let step = b.receive(far, at: 0)
        #expect(step.delivered.isEmpty)
        #expect(step.sent.map(\.content) == [.resend(1...1024)])
        #expect(b.receive(first, at: 0).delivered.count == 1)
    }

    @Test func aMessageHasOneSpellingAndAClosedWorld() throws {
        var (a, b) = Self.pair()
        let update = a.update("Record", "r", "{\"x\":1}", at: 5).sent[0]
        let delete = a.delete("Record", "r", "{}", at: 6).sent[0]
        let asked = b.receive(delete, at: 7).sent[0]
        for message in [update, delete, asked, b.confirm(at: 8).sent[0]] {
            #expect(try Message(message.bytes) == message)
        }
        let text = String(decoding: update.bytes, as: UTF8.self)
        for (old, new) in [
            ("\"sequence\":1", "\"sequence\":0"), ("\"sequence\":1", "\"sequence\":-1"),
            ("\"sequence\":1", "\"sequence\":9223372036854775807"), ("\"update\"", "\"confirm\""),
            ("\"email\"", "\"mail\""), ("\"*\"", "\"b\""), ("\"senderId\":\"a\"", "\"senderId\":\"\""),
        ] {
            #expect(text.contains(old))
            #expect(throws: GroupError.malformed) {
                try Message(Array(text.replacing(old, with: new).utf8))
            }
        }
    }
}
