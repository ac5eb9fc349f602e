import EscrowManifest
import Glibc
import Testing

@Suite struct PermissionSetTests {
    private func permissions(_ passage: String = "\"sequence\": 7", _ replacement: String = "\"sequence\": 8")
        throws
        -> PermissionSet
    {
        try Manifest.parse(try Fixture.replacing(passage, replacement), file: "plugin.json").permissions
    }

    @Test func aReleaseThatAsksForTheSameIsWithin() throws {
        let old = try permissions()
        let new = try permissions("1.2.0", "1.3.0")
        #expect(new.isWithin(old) && old.isWithin(new))
        #expect(new.difference(from: old).isEmpty)
    }

    @Test(arguments: [
        ("[\"birthday\"]", "[\"birthday\", \"givenName\"]", "may also read Contacts.givenName"),
        (
            "\"Contacts\": [\"birthday\"]", "\"Contacts\": [\"birthday\"], \"Photos\": [\"id\"]",
            "may also read Photos.id"
        ),
        ("\"min\": 20, \"max\"", "\"min\": 5, \"max\"", "minimum of rows is now 5, it was 20"),
        ("\"maxBytes\": 256", "\"maxBytes\": 512", "most bytes returned is now 512, it was 256"),
        (
            "\"max\": 130, \"decimals\": 1 },\n                \"diff",
            "\"max\": 130, \"decimals\": 3 },\n                \"diff",
            "returns mean_age as a number from 0.0 to 130.0 with 3 decimals, "
                + "it was a number from 0.0 to 130.0 with 1 decimal"
        ),
        (
            "[\"EU\", \"US\"]", "[\"EU\", \"US\", \"AF\"]",
            "population sends region as one of \"EU\", \"US\", \"AF\", it was one of \"EU\", \"US\""
        ),
        ("\"maxCalls\": 1", "\"maxCalls\": 2", "most calls of population is now 2, it was 1"),
        ("\"wallSeconds\": 10", "\"wallSeconds\": 20", "time in seconds is now 20, it was 10"),
    ])
    func whatAsksForMoreSaysSoAndIsNotWithin(passage: String, replacement: String, sentence: String) throws {
        let old = try permissions()
        let new = try permissions(passage, replacement)
        #expect(new.difference(from: old).map(\.sentence) == [sentence])
        #expect(new.difference(from: old).map(\.direction) == [.wider])
        #expect(!new.isWithin(old))
        #expect(old.isWithin(new))
    }

    @Test func anotherPurposeIsAnotherDataflow() throws {
        let new = try permissions("aggregate-statistics", "advertising")
        #expect(!new.isWithin(try permissions()))
        #expect(
            new.difference(from: try permissions()).map(\.sentence) == [
                "its purpose is now advertising, it was statistics over many rows"
            ])
    }

    @Test func capacityIsAnUpperBoundInBits() throws {
        let manifest = try Manifest.parse(try Fixture.vector("average-age.json"), file: "plugin.json")
        // log2(1301) + log2(2601) + log2(2^63 - 20): 10.4 + 11.4 + 63.
        #expect(manifest.result.capacityBits == 85)
        // One call: which of two values, which of sixteen moments, and whether it comes.
        #expect(manifest.egress[0].capacityBits == 6)
        #expect(manifest.sentBits == 6)
    }

    @Test func whenAndWhetherAResultComesIsCounted() throws {
        let manifest = try Manifest.parse(try Fixture.vector("average-age.json"), file: "plugin.json")
        let moments = Double(manifest.resultMoments.moments.count)
        // Of so many results one more, none, is nothing to speak of; of a result of one value it is a bit.
        let results = log2(1_301.0) + log2(2_601.0) + 63
        let all = manifest.result.capacityBits + manifest.besideBits
        #expect(all == Int((results + log2(moments)).rounded(.up)))
        let text = try Fixture.text
        let from = try #require(text.firstRange(of: "\"result\": {"))
        let to = try #require(text.firstRange(of: "\"egress\":"))
        let constant =
            #""result": { "kind": "record", "maxBytes": 9, "fields": { "n": { "type": "integer", "oneOf": [0] } } }, "#
        let silent = try Manifest.parse(
            Array((text[..<from.lowerBound] + constant + text[to.lowerBound...]).utf8), file: "plugin.json")
        #expect(silent.result.capacityBits == 0)
        #expect(silent.besideBits == Int((log2(moments) + 1).rounded(.up)))
    }

    @Test func aConnectionThatIsKeptTellsWhenTheRunEnds() throws {
        let once = try Manifest.parse(try Fixture.vector("average-age.json"), file: "plugin.json")
        let twice = try Manifest.parse(
            try Fixture.replacing("\"maxCalls\": 1", "\"maxCalls\": 2"), file: "plugin.json")
        let apart = try Manifest.parse(
            try Fixture.replacing("\"maxCalls\": 1", "\"unlinkable\": true, \"maxCalls\": 2"),
            file: "plugin.json")
        #expect(abs(twice.sentBits - apart.sentBits - once.resultMoments.bits) < 1e-9)
    }

    @Test func requestsTogetherAreCountedAsSetsAtOneMoment() throws {
        func manifest(_ more: String) throws -> Manifest {
            try Manifest.parse(
                try Fixture.replacing("\"maxCalls\": 1", "\(more) \"maxCalls\": 2"), file: "plugin.json")
        }
        let apart = try manifest("")
        let together = try manifest("\"together\": true,")
        // None, one of two, or two of them in one of three ways; and one of sixteen moments where there are any.
        #expect(abs(together.sentBits - log2(1 + 16 * 5)) < 1e-9)
        #expect(together.egress[0].capacityBits == together.sentBits)
        #expect(together.permissions.isWithin(apart.permissions))
        let changes = apart.permissions.difference(from: together.permissions)
        #expect(changes.map(\.direction) == [.wider])
        #expect(
            changes.map(\.sentence) == ["population no longer sends all its requests of a run in one go"])
        func isAdvised(_ manifest: Manifest) -> Bool {
            ManifestCheck.lint(manifest).contains {
                $0.permission == "sends up to 2 requests, each when it asks for it" && $0.grade == .asNeeded
            }
        }
        #expect(isAdvised(apart) && !isAdvised(together))
    }

    @Test func lintGradesEachPermission() throws {
        let manifest = try Manifest.parse(try Fixture.vector("average-age.json"), file: "plugin.json")
        let grades = Dictionary(
            ManifestCheck.lint(manifest).map { ($0.permission, $0.grade) },
            uniquingKeysWith: { first, _ in first })
        #expect(grades["reads Contacts: birthday"] == .fine)
        #expect(grades["at least 20 rows"] == .fine)
        #expect(grades["profile strict"] == .fine)
        let open = try Manifest.parse(
            try Fixture.replacing("{ \"min\": 20, ", "{ \"min\": 1, "), file: "plugin.json")
        #expect(
            ManifestCheck.lint(open).contains { $0.grade == .avoid && $0.permission == "at least 1 rows" })
    }
}
