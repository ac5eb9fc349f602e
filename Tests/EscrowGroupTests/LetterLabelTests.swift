import Crypto
import Foundation
import Testing

@testable import EscrowGroup

/// What servers that work together see of letters: they put the bytes together, and open nothing.
@Suite("Labels of letters") struct LetterLabelTests {
    /// Where each slip's label lies: behind the mark and the number of slips.
    static func labels(_ letter: [UInt8]) -> [Range<Int>] {
        var place = 6
        return (0..<(Int(letter[4]) << 8 | Int(letter[5]))).map { _ in
            defer { place += 10 + Int(letter[place + 8]) << 8 + Int(letter[place + 9]) }
            return place..<place + 8
        }
    }

    static func letter() throws -> [UInt8] {
        let epoch = Epoch(group: "g", members: KeyringTests.identities)
        return try KeyringTests.letter(epoch).sealed(
            for: ["a": ["k"], "b": ["k"]], by: KeyringTests.owner)
    }

    @Test func noLabelSaysThatItIsTheSameReceiverAgain() throws {
        let letters = try (0..<20).map { _ in try Self.letter() }
        let labels = letters.flatMap { letter in Self.labels(letter).map { Array(letter[$0]) } }
        #expect(labels.count == 40 && Set(labels).count == 40)
        #expect(Set(labels.map { $0.prefix(4) }).count == 40 && Set(labels.map { $0.suffix(4) }).count == 40)
    }

    @Test func theOrderSaysNothingOfTheReceivers() throws {
        let a = try #require(KeyringTests.keys["a"])
        let owner = KeyringTests.owner.identity
        let places = try (0..<64).map { _ in
            let letter = try Self.letter()
            return try #require(
                Self.labels(letter).firstIndex { range in
                    let start = range.upperBound + 2
                    let length = Int(letter[range.upperBound]) << 8 + Int(letter[range.upperBound + 1])
                    return
                        (try? a.open(
                            Array(letter[start..<start + length]), from: owner, as: MemberKeys.letter)) != nil
                })
        }
        #expect(Set(places) == [0, 1])
    }

    @Test func aLetterOfTheVersionBeforeIsStillRead() throws {
        var letter = try Self.letter()
        let keys = ["a", "b"].compactMap { KeyringTests.keys[$0] }
        let owner = KeyringTests.owner.identity
        // Its labels were made of the keys alone; whose slip is whose is found by opening it.
        for range in Self.labels(letter) {
            let start = range.upperBound + 2
            let length = Int(letter[range.upperBound]) << 8 + Int(letter[range.upperBound + 1])
            let slip = Array(letter[start..<start + length])
            let mine = keys.first { (try? $0.open(slip, from: owner, as: MemberKeys.letter)) != nil }
            let receiver = try #require(mine).identity
            let words = Array("escrow group slip\n".utf8) + receiver.signing + receiver.agreement
            letter.replaceSubrange(range, with: Array(SHA256.hash(data: words)).prefix(8))
        }
        for each in keys {
            let read = try Letter(letter, for: each, from: owner)
            #expect(read.meeting.keys == ["k"])
        }
        #expect(throws: GroupError.notAMember) { try Letter(letter, for: KeyringTests.owner, from: owner) }
    }
}
