import EscrowJSON
import Testing

@testable import EscrowLedger

@Suite struct KeepingTests {
    @Test(arguments: [
        "1970-01-01T00:00:00.000Z", "2026-11-21T01:40:11.120Z", "2024-02-29T23:59:59.999Z",
        "9999-12-31T23:59:59.999Z",
        "2000-03-01T00:00:00.001Z",
    ])
    func timesReadBackAsTheyAreWritten(text: String) throws {
        #expect(try #require(LedgerTime(text)).description == text)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-02-29T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "2026-11-21T24:00:00.000Z",
        "1969-12-31T23:59:59.999Z", "2026-11-21t01:40:11.120Z", "2026-11-21T01:40:11.12Z",
        "+026-11-21T01:40:11.120Z",
    ])
    func otherSpellingsAreRefused(text: String) { #expect(LedgerTime(text) == nil) }

    @Test func knownMoments() {
        #expect(LedgerTime(milliseconds: 1_795_225_211_120).description == "2026-11-21T01:40:11.120Z")
        #expect(LedgerTime(milliseconds: -5).milliseconds == 0)
    }

    @Test func hexadecimalHasOneSpelling() {
        #expect(Hex.string([0, 0x7F, 0xFF]) == "007fff")
        #expect(Hex.read("007fff".utf8) == [0, 0x7F, 0xFF])
        for text in ["7F", "7", "0x", "g0"] { #expect(Hex.read(text.utf8) == nil) }
    }

    @Test func saltsDiffer() {
        let first = SaltedDigest(of: [1, 2, 3])
        let second = SaltedDigest(of: [1, 2, 3])
        #expect(first.digest != second.digest)
        #expect(first.salt.utf8.count == 64)
        let salt = Hex.read(first.salt.utf8) ?? []
        #expect(Hex.string(Hashing.sha256(salt + [1, 2, 3])) == first.digest)
    }
}
