import Foundation
import GroupNetwork
import Testing

@testable import EscrowGroup

@Suite("How long messages look") struct PaddingTests {
    @Test func shortOnesLookAlikeAndLongOnesGrowByAnEighthAtMost() {
        for count in [0, 1, 656, 1024] { #expect(Padding.length(for: count) == 1024) }
        for count in stride(from: 1025, to: 70_000, by: 7) {
            let length = Padding.length(for: count)
            #expect(length >= count && Double(length) <= Double(count) * 1.12, "\(count)")
            // What is padded once looks as it does.
            #expect(Padding.length(for: length) == length)
        }
        // As many lengths as a logarithm, not as many as bytes.
        #expect(Set(stride(from: 1025, to: 1 << 20, by: 31).map(Padding.length)).count < 300)
        #expect(Padding.length(for: Padding.longest + 1) == Padding.longest + 1)
    }

    @Test func aPaddedMessageIsOpenedAsItWas() throws {
        let keys = MemberKeys()
        let ring = Keyring(keys, Epoch(group: "g", members: ["a": keys.identity]))
        var member = MemberTests.member("a", among: ["a", "b"])
        let message = member.update("Record", "r", "{}", at: 1).sent[0]
        #expect(try ring.open(ring.seal(message)) == message)
        #expect(try ring.seal(message).count == ring.seal(member.confirm(at: 2).sent[0]).count)
    }

    /// A month of a household's account book: what a length tells of a message, in bits, before and after.
    @Test func whatLengthsTell() throws {
        var random = Seeded(state: 7)
        var member = MemberTests.member("m0", among: (0..<5).map { "m\($0)" })
        var messages: [(kind: String, bytes: Int)] = []
        let notes = ["", "rolls", "the week's shopping, with Bob", "a present for Cy, who is forty in March"]
        for number in 0..<400 {
            let now = Int64(number)
            let sent: Message
            let kind: String
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                sent = member.confirm(at: now).sent[0]
                kind = "confirm"
            case 1:
                sent = member.delete("Record", "r\(number)", "{\"at\":[\(now),0,\"m0\"]}", at: now).sent[0]
                kind = "delete"
            case 2:
                // A photo, as text.
                let size = Int.random(in: 20_000..<400_000, using: &random)
                sent =
                    member.update("Photo", "p\(number)", String(repeating: "x", count: size), at: now).sent[0]
                kind = "photo"
            default:
                let note = notes[Int.random(in: 0..<notes.count, using: &random)]
                let cents = Int.random(in: 100..<100_000, using: &random)
                sent =
                    member.update(
                        "Record", "r\(number)", "{\"cents\":\(cents),\"note\":\"\(note)\"}", at: now
                    ).sent[0]
                kind = "record"
            }
            messages.append((kind, sent.bytes.count))
        }
        func entropy(_ values: [some Hashable]) -> Double {
            Dictionary(grouping: values) { $0 }.values.reduce(0) {
                let share = Double($1.count) / Double(values.count)
                return $0 - share * log2(share)
            }
        }
        let (before, after) = (messages.map(\.bytes), messages.map { Padding.length(for: $0.bytes) })
        let small = messages.filter { $0.kind != "photo" }.map { Padding.length(for: $0.bytes) }
        #expect(Set(small) == [1024])
        #expect(entropy(after) < 0.7 && entropy(before) > 3)
        let added = Double(after.reduce(0, +)) / Double(before.reduce(0, +)) - 1
        print(
            "lengths of 400 messages: \(Set(before).count) different ones, \(entropy(before)) bits; padded",
            "\(Set(after).count), \(entropy(after)) bits, \(added * 100) % more bytes")
    }
}
