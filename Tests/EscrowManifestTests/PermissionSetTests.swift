import EscrowManifest
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
        #expect(manifest.egress[0].capacityBits == 2)
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
