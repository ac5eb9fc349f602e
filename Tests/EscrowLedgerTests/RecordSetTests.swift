import Testing

@testable import EscrowLedger

/// The digests of the records that a run read, put in order and spelled.
@Suite struct RecordSetTests {
    private func expected(_ digests: [UInt64]) -> [UInt64] {
        Set(digests.map { $0 % RecordSet.bound }).sorted()
    }

    @Test func digestsAreInOrderAndNoneTwiceHoweverTheyAreSpread() {
        var dice = SystemRandomNumberGenerator()
        for count in [0, 1, 2, 3, 7, 8, 9, 100, 1_000, 8_191, 8_192] {
            let even = (0..<count).map { _ in dice.next() as UInt64 }
            let lists = [
                even, even + even.shuffled(), even.map { $0 % 16 }, even.map { $0 % 65_536 },
                even.map { $0 | 0xFFFF_FFFF_0000 }, (0..<count).map { UInt64($0) },
                (0..<count).reversed().map { UInt64($0) << 35 }, [UInt64](repeating: .max, count: count),
            ]
            for (number, list) in lists.enumerated() {
                #expect(RecordSet(list).digests == expected(list), "list \(number) of \(count)")
            }
        }
    }

    @Test func aSetIsReadAsItWasSpelledAndKnowsItsRecords() throws {
        let key = RecordKey()
        let ids = (0..<RecordSet.most).map { Array("record \($0)".utf8) }
        let set = RecordSet(ids.map { key.hash($0) })
        let read = try #require(RecordSet(set.text))
        #expect(read == set)
        #expect(ids.allSatisfy { read.contains(key.hash($0)) })
        #expect(!read.contains(key.hash(Array("record".utf8))))
        #expect(!read.contains(RecordKey().hash(ids[0])))
    }

    @Test(arguments: ["A", "gA==", "gAA=", "////////", "AA=", "!!!!", "/////////wE="])
    func whatItWouldNotSpellIsNotRead(_ text: String) {
        #expect(RecordSet(text) == nil)
    }

    /// The vectors of SipHash's authors: the key 00 01 … 0f, and messages of 0, 1, 8 and 15 bytes.
    @Test(arguments: [
        (0, UInt64(0x726F_DB47_DD0E_0E31)), (1, 0x74F8_39C5_93DC_67FD), (8, 0x93F5_F579_9A93_2462),
        (15, 0xA129_CA61_49BE_45E5),
    ])
    func aRecordIsDigestedBySipHash(_ count: Int, _ digest: UInt64) {
        let key = RecordKey(0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)
        #expect(key.hash((0..<count).map { UInt8($0) }) == digest)
    }
}
