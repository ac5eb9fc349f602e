import Testing

@testable import EscrowSharing

@Suite("Shares of a message") struct SharingTests {
    static let message = Array("twelve euro for bread, on the third".utf8)

    static func replies(_ shares: [Share]) -> [Reply] {
        shares.map { Reply(server: "server \($0.number)", number: $0.number, bytes: $0.bytes) }
    }

    /// Every choice of three of five.
    @Test func anyKSharesGiveTheMessageAndFewerDoNot() throws {
        let scheme = try Scheme(threshold: 3, shares: 5, accepted: 4)
        for length in [0, 1, 7, 8, 9, 35] {
            let message = Array(Self.message.prefix(length))
            let replies = Self.replies(try scheme.split(message))
            for chosen in 0..<32 {
                let some = replies.indices.filter { chosen >> $0 & 1 == 1 }.map { replies[$0] }
                let found = Combination(some, scheme: scheme)
                #expect(found.message == (some.count >= 3 ? message : nil))
                #expect(found.faults.isEmpty)
            }
        }
    }

    @Test func noShareHoldsAPieceOfTheMessageAndNoneIsMadeTwice() throws {
        let scheme = try Scheme.senderFirst(threshold: 2, shares: 3)
        let message = [UInt8](repeating: 0x41, count: 4096)
        let (first, second) = (try scheme.split(message), try scheme.split(message))
        for (one, other) in zip(first, second) {
            #expect(one.values != other.values)
            #expect(one.salt != other.salt)
            // 4,096 bytes of one letter: were a coefficient used twice, bytes of the share would be as uniform.
            #expect(Set(one.values).count > 200)
        }
    }

    @Test func aServerThatAltersAnyByteIsNamedAndTheRestGivesTheMessage() throws {
        let scheme = try Scheme.receiverFirst(threshold: 2, shares: 3)
        let shares = try scheme.split(Self.message)
        for place in shares[1].bytes.indices {
            var replies = Self.replies(shares)
            var bytes = replies[1].bytes
            bytes[place] ^= 1
            replies[1] = Reply(server: "liar", number: 2, bytes: bytes)
            let found = Combination(replies, scheme: scheme)
            #expect(found.message == Self.message, "byte \(place)")
            #expect(Array(found.faults.keys) == ["liar"], "byte \(place)")
        }
    }

    @Test func eachKindOfWrongAnswerHasItsWord() throws {
        let scheme = try Scheme(threshold: 2, shares: 6, accepted: 5)
        let shares = try scheme.split(Self.message)
        let old = try scheme.split(Self.message)
        let two = try Scheme.senderFirst(threshold: 3, shares: 6).split(Self.message)
        var altered = shares[5].bytes
        altered[altered.count - 1] ^= 0x80
        let found = Combination(
            [
                Reply(server: "a", number: 1, bytes: shares[0].bytes),
                Reply(server: "b", number: 2, bytes: shares[1].bytes),
                Reply(server: "stale", number: 3, bytes: old[2].bytes),
                Reply(server: "empty", number: 4, bytes: []),
                Reply(server: "other", number: 5, bytes: two[4].bytes),
                Reply(server: "altered", number: 6, bytes: altered),
            ], scheme: scheme)
        #expect(found.message == Self.message)
        #expect(
            found.faults == ["stale": .stale, "empty": .unreadable, "other": .foreign, "altered": .altered])
    }

    @Test func fewerThanKLiarsCannotSayThatFewerSharesAreEnough() throws {
        let scheme = try Scheme.receiverFirst(threshold: 3, shares: 5)
        let forged = try Scheme.receiverFirst(threshold: 2, shares: 5).split(Array("forged".utf8))
        let honest = try scheme.split(Self.message)
        let found = Combination(Self.replies(Array(forged[0..<2]) + honest[2...]), scheme: scheme)
        #expect(found.message == Self.message)
        #expect(found.faults == ["server 1": .foreign, "server 2": .foreign])
    }

    @Test func aShareHasOneSpelling() throws {
        let bytes = try Scheme.senderFirst(threshold: 2, shares: 3).split(Self.message)[0].bytes
        #expect(try Share(bytes).bytes == bytes)
        for length in bytes.indices {
            #expect(throws: SharingError.malformed) { try Share(Array(bytes[..<length])) }
        }
        #expect(throws: SharingError.malformed) { try Share(bytes + [0]) }
    }

    @Test func schemesThatMakeNoSenseAreRefused() {
        for (k, n, s) in [(1, 3, 3), (3, 2, 3), (2, 3, 1), (2, 3, 4), (2, 256, 3), (0, 0, 0)] {
            #expect(throws: SharingError.scheme) { try Scheme(threshold: k, shares: n, accepted: s) }
        }
    }

    @Test func aSchemeSaysHowManyServersMustTakeTheirShare() throws {
        #expect(try Scheme.senderFirst(threshold: 2, shares: 4).accepted == 2)
        #expect(try Scheme.receiverFirst(threshold: 2, shares: 4).accepted == 4)
    }

    /// Multiplication by long division, a bit at a time.
    @Test func theFieldIsThatOfLongDivision() {
        for left in UInt8.min...UInt8.max {
            for right in UInt8.min...UInt8.max {
                var product = 0
                for bit in 0..<8 where right >> bit & 1 == 1 { product ^= Int(left) << bit }
                for bit in (8..<16).reversed() where product >> bit & 1 == 1 { product ^= 0x11d << (bit - 8) }
                #expect(Field.standard.product(left, right) == UInt8(product))
            }
            if left != 0 { #expect(Field.standard.product(left, Field.standard.inverse(left)) == 1) }
        }
    }

    /// Each of the processor's ways to add gives what multiplying byte by byte gives, for every weight, and for lengths that its
    /// registers do not divide.
    @Test func everyWayToAddGivesTheSame() {
        let bytes = (0..<707).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 >> 8) }
        for reduction in [UInt8(0x1d), 0x1b] {
            for level in 0...Field.widest {
                let field = Field(reduction, level: level)
                for weight in UInt8.min...UInt8.max {
                    let count = 450 + Int(weight)
                    let row = Array(bytes.prefix(count))
                    #expect(
                        field.sum(of: [(weight, row), (1, row)])
                            == row.map { field.product(weight, $0) ^ $0 }, "level \(level), weight \(weight)")
                }
            }
        }
        #expect(Field.standard.sum(of: []).isEmpty)
    }
}
