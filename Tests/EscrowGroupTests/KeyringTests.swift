import Crypto
import EscrowJSON
import Foundation
import Testing

@testable import EscrowGroup

@Suite("Seals and epochs of a group") struct KeyringTests {
    static let keys = ["owner": MemberKeys(), "a": MemberKeys(), "b": MemberKeys()]
    static let identities = keys.mapValues(\.identity)
    static let owner = keys["owner"]!

    static func letter(_ epoch: Epoch) -> Letter {
        Letter(
            charter: .init(
                name: "home", appId: "org.example.accounts", entities: ["Record"], rule: .newestWins,
                timeToLive: MemberTests.day, owner: "owner"), epoch: epoch, people: [:],
            meeting: .init(group: "m", threshold: 2, accepted: 3, places: [.init(address: "x", key: "k")]),
            copy: .init(
                have: ["a": 3],
                objects: [
                    .init(objectClass: "Record", id: "r", version: .init(isDeleted: false, content: "{}"))
                ]))
    }

    static func ring(_ member: String, _ epoch: Epoch) throws -> Keyring {
        let sealed = try letter(epoch).sealed(for: [member: ["k"]], by: owner)
        return Keyring(keys[member]!, try Letter(sealed, for: keys[member]!, from: owner.identity).epoch)
    }

    static func message(from id: String) -> Message {
        var member = MemberTests.member(id, among: ["owner", "a", "b"])
        return member.update("Record", "r", "twelve euro for bread", at: 0).sent[0]
    }

    @Test func membersReadOneAnotherAndNobodyElseDoes() throws {
        let epoch = Epoch(group: "g", members: Self.identities)
        let (a, b) = (try Self.ring("a", epoch), try Self.ring("b", epoch))
        let sealed = try a.seal(Self.message(from: "a"))
        #expect(try b.open(sealed) == Self.message(from: "a"))
        #expect(!String(decoding: sealed, as: UTF8.self).contains("bread"))
        #expect(try a.seal(Self.message(from: "a")) != sealed)
        for place in sealed.indices {
            var altered = sealed
            altered[place] ^= 1
            #expect(throws: GroupError.self) { try b.open(altered) }
        }
        let stranger = Keyring(MemberKeys(), Epoch(group: "g", members: Self.identities))
        #expect(throws: GroupError.notAuthentic) { try stranger.open(sealed) }
    }

    @Test func aMemberCannotWriteInAnothersName() throws {
        let epoch = Epoch(group: "g", members: Self.identities)
        let (a, b) = (try Self.ring("a", epoch), try Self.ring("b", epoch))
        let forged = try a.seal(Self.message(from: "owner"))
        #expect(throws: GroupError.notAuthentic) { try b.open(forged) }
        let unknown = try a.seal(Self.message(from: "c"))
        #expect(throws: GroupError.notAMember) { try b.open(unknown) }
    }

    @Test func whoIsRemovedNeitherReadsNorIsHeard() throws {
        let first = Epoch(group: "g", members: Self.identities)
        var a = try Self.ring("a", first)
        let b = try Self.ring("b", first)
        let next = first.next(members: Self.identities.filter { $0.key != "b" })
        #expect(throws: GroupError.notAMember) {
            try Self.letter(next).sealed(for: ["b": []], by: Self.owner)
        }
        let early = try Keyring(Self.owner, first).seal(Self.message(from: "owner"))
        let isTaken = a.take(try Self.ring("a", next).newest)
        #expect(isTaken)
        // What the owner sealed before the change is still read, what b seals with the old key is not.
        #expect(try a.open(early).senderId == "owner")
        let late = try b.seal(Self.message(from: "b"))
        #expect(throws: GroupError.notAMember) { try a.open(late) }
        let new = try a.seal(Self.message(from: "a"))
        #expect(throws: GroupError.unknownEpoch) { try b.open(new) }
        #expect(Keyring.epoch(of: early) == 1 && Keyring.epoch(of: new) == 2)
        // What was kept is the same ring: it opens what it opened, and no more.
        let kept = try #require(Keyring(Self.keys["a"]!, a.epochs))
        #expect(try kept.open(early) == a.open(early))
        #expect(throws: GroupError.notAMember) { try kept.open(late) }
        // A server brings the old epoch again.
        let isTakenAgain = a.take(first)
        #expect(!isTakenAgain)
    }

    @Test func aLetterIsTheOwnersWordToOneMember() throws {
        let letter = Self.letter(Epoch(group: "g", members: Self.identities))
        let sealed = try letter.sealed(for: ["a": ["k"]], by: Self.owner)
        #expect(Letter.isLetter(sealed))
        let (a, owner) = (Self.keys["a"]!, Self.owner.identity)
        #expect(try Letter(sealed, for: a, from: owner) == letter)
        #expect(throws: GroupError.notAMember) { try Letter(sealed, for: Self.keys["b"]!, from: owner) }
        let forged = try letter.sealed(for: ["a": ["k"]], by: Self.keys["b"]!)
        #expect(throws: GroupError.notAuthentic) { try Letter(forged, for: a, from: owner) }
        for place in sealed.indices {
            var altered = sealed
            altered[place] ^= 1
            #expect(throws: GroupError.self) { try Letter(altered, for: a, from: owner) }
        }
        #expect(throws: GroupError.notAuthentic) { try Letter(sealed.dropLast(), for: a, from: owner) }
    }

    /// One letter to many: each has its own keys of it; it grows with the members, and a receiver, who has the key of what is
    /// for all, cannot put other words behind the owner's slips.
    @Test func aLetterToManyGrowsWithThem() throws {
        func letter(_ count: Int) throws -> (Letter, [UInt8]) {
            let members = (0..<count).map { ("m\($0)", MemberKeys().identity) }
            let epoch = Epoch(
                group: "g", members: Self.identities.merging(Dictionary(uniqueKeysWithValues: members)) { $1 }
            )
            let letter = Self.letter(epoch)
            let receivers = epoch.members.mapValues { _ in ["k"] }.merging(["b": ["other"]]) { $1 }
            return (letter, try letter.sealed(for: receivers, by: Self.owner))
        }
        let (one, bytes) = try letter(20)
        let (_, more) = try letter(40)
        #expect(more.count < 2 * bytes.count)
        let owner = Self.owner.identity
        #expect(try Letter(bytes, for: Self.keys["a"]!, from: owner) == one)
        #expect(try Letter(bytes, for: Self.keys["b"]!, from: owner).meeting.keys == ["other"])
        // b opens its slip, and seals other words under the key that it finds there.
        var (place, slips) = (6, [[UInt8]]())
        for _ in 0..<Int(bytes[5]) {
            let length = Int(bytes[place + 8]) << 8 | Int(bytes[place + 9])
            slips.append(Array(bytes[place + 10..<place + 10 + length]))
            place += 10 + length
        }
        let opened = slips.compactMap {
            try? Self.keys["b"]!.open($0, from: owner, as: MemberKeys.letter)
        }
        #expect(slips.count == 23 && opened.count == 1)
        let key = SymmetricKey(data: try #require(opened.first).prefix(32))
        let words = try ChaChaPoly.open(.init(combined: bytes[place...]), using: key)
        #expect(words.range(of: Data("home".utf8)) != nil)
        let forged = bytes[..<place] + Array(try ChaChaPoly.seal(words, using: key).combined)
        #expect(throws: GroupError.notAuthentic) {
            try Letter(Array(forged), for: Self.keys["a"]!, from: owner)
        }
    }

    /// Whoever changes a word of an introduction changes its code.
    @Test func anIntroductionHasACodeOfAllThatItSays() throws {
        let profile = Member.Profile(id: "n", email: "e@example.org", name: "Eve")
        let first = Introduction(profile, Self.identities["a"]!)
        #expect(try Introduction(JSONWriter.line(first.json)) == first)
        #expect(first.code.split(separator: "-").map(\.count) == [4, 4, 4, 4, 4])
        let others = [
            Introduction(profile, Self.identities["b"]!),
            Introduction(.init(id: "m", email: profile.email, name: "Eve"), first.identity),
            Introduction(.init(id: "n", email: profile.email, name: "Eva"), first.identity),
        ]
        #expect(Set(others.map(\.code) + [first.code]).count == 4)
        for wrong in ["", "{}", #"{"node":"","name":"","email":"","keys":""}"#] {
            #expect(throws: GroupError.malformed) { try Introduction(Array(wrong.utf8)) }
        }
    }

    @Test func keysAndFingerprintsComeBackTheSame() throws {
        let keys = MemberKeys()
        #expect(try MemberKeys(keys.bytes).identity == keys.identity)
        #expect(try MemberIdentity(keys.identity.text) == keys.identity)
        #expect(keys.identity.fingerprint.split(separator: " ").map(\.count) == Array(repeating: 4, count: 8))
        #expect(keys.identity.fingerprint != MemberKeys().identity.fingerprint)
        #expect(throws: GroupError.malformed) { try MemberKeys([1, 2]) }
    }
}
