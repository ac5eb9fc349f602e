import Testing

@testable import EscrowGroup

@Suite("Seals and epochs of a group") struct KeyringTests {
    static let keys = ["owner": MemberKeys(), "a": MemberKeys(), "b": MemberKeys()]
    static let identities = keys.mapValues(\.identity)
    static let owner = keys["owner"]!

    static func ring(_ member: String, _ epoch: Epoch) throws -> Keyring {
        let sealed = try epoch.sealed(for: member, by: owner)
        return Keyring(keys[member]!, try Epoch(sealed, for: keys[member]!, from: owner.identity))
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
        #expect(throws: GroupError.notAMember) { try next.sealed(for: "b", by: Self.owner) }
        let early = try Keyring(Self.owner, first).seal(Self.message(from: "owner"))
        let isTaken = a.take(try Self.ring("a", next).newest)
        #expect(isTaken)
        // What the owner sealed before the change is still read, what b seals with the old key is not.
        #expect(try a.open(early).senderId == "owner")
        let late = try b.seal(Self.message(from: "b"))
        #expect(throws: GroupError.notAMember) { try a.open(late) }
        let new = try a.seal(Self.message(from: "a"))
        #expect(throws: GroupError.unknownEpoch) { try b.open(new) }
        // A server brings the old epoch again.
        let isTakenAgain = a.take(first)
        #expect(!isTakenAgain)
    }

    @Test func anEpochIsTheOwnersWordToOneMember() throws {
        let epoch = Epoch(group: "g", members: Self.identities)
        let sealed = try epoch.sealed(for: "a", by: Self.owner)
        #expect(try Epoch(sealed, for: Self.keys["a"]!, from: Self.owner.identity) == epoch)
        #expect(throws: GroupError.notAuthentic) {
            try Epoch(sealed, for: Self.keys["b"]!, from: Self.owner.identity)
        }
        let forged = try epoch.sealed(for: "a", by: Self.keys["b"]!)
        #expect(throws: GroupError.notAuthentic) {
            try Epoch(forged, for: Self.keys["a"]!, from: Self.owner.identity)
        }
        #expect(throws: GroupError.notAuthentic) {
            try Epoch(Array(sealed.dropLast()), for: Self.keys["a"]!, from: Self.owner.identity)
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
