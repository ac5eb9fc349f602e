import EscrowDiagnostics
import Testing

@testable import EscrowManifest

@Suite struct LearnsTests {
    private func schema(_ fields: String, maxBytes: Int = 120) throws -> ResultSchema {
        try ResultSchemaTests.schema(
            "{ \"kind\": \"record\", \"maxBytes\": \(maxBytes), \"fields\": {\(fields)} }")
    }

    @Test func theSentenceOfEachFieldIsRead() throws {
        let both = try schema(
            #""n": { "type": "integer", "learns": "how many there are" }, "m": { "type": "real", "why": "their mean" }"#
        )
        // The former name stays readable.
        #expect(both.learned == ["how many there are", "their mean"])
        #expect(both.unsaid.isEmpty)
        let text = try ResultSchemaTests.schema(
            #"{ "kind": "text", "mediaType": "text/plain", "maxLength": 9, "maxBytes": 36, "learns": "a word" }"#
        )
        #expect(text.learned == ["a word"] && text.unsaid.isEmpty)
    }

    @Test func withoutASentenceTheSchemaSpeaks() throws {
        let plain = try schema(#""n": { "type": "integer", "min": 0, "max": 9 }"#)
        #expect(plain.learned == ["n: a whole number from 0 to 9"])
        #expect(plain.unsaid == ["result.n"])
        let bytes = try ResultSchemaTests.schema(
            #"{ "kind": "bytes", "mediaType": "image/png", "maxBytes": 36 }"#)
        #expect(bytes.learned == ["image/png"] && bytes.unsaid == ["result"])
    }

    @Test(arguments: ["\"\"", "\"a\\nb\"", "\"a\\u202eb\"", "7", "\"\(String(repeating: "x", count: 121))\""])
    func aSentenceIsPlainAndShort(text: String) {
        #expect(throws: Diagnostic.self) {
            try schema("\"n\": { \"type\": \"integer\", \"learns\": \(text) }")
        }
    }

    @Test func aSentenceBelongsToWhatIsReturned() {
        #expect(throws: Diagnostic.self) {
            try ResultSchemaTests.schema(
                #"{ "kind": "record", "maxBytes": 9, "learns": "x", "fields": { "n": { "type": "integer" } } }"#
            )
        }
    }

    @Test(arguments: [
        (#""n": { "type": "integer" }"#, "1 number or word of a list"),
        (#""n": { "type": "integer" }, "b": { "type": "boolean" }"#, "2 numbers or words of a list"),
        (#""w": { "type": "text", "oneOf": ["a", "b"] }"#, "1 number or word of a list"),
        (#""n": { "type": "integer" }, "t": { "type": "text", "maxLength": 40 }"#, "109 bytes of text"),
        (
            #""t": { "type": "text", "maxLength": 4000 }, "p": { "type": "blob", "maxLength": 9 }"#,
            "120 bytes of text and files"
        ),
        (
            #""l": { "type": "list", "items": { "type": "integer" }, "maxItems": 9 }"#,
            "73 bytes of numbers"
        ),
    ])
    func whatTheSchemaLetsThroughIsSaidPlainly(fields: String, words: String) throws {
        #expect(try schema(fields).allowance == words)
    }

    @Test func rowsAreCounted() throws {
        let table = try ResultSchemaTests.schema(
            #"{ "kind": "table", "maxRows": 40000, "maxBytes": 2097152, "columns": [ { "name": "d", "type": "text", "maxLength": 10 } ] }"#
        )
        #expect(table.allowance == "40,000 rows, 914 KiB of text")
    }

    /// What `plugin check` calls the result: nobody counts in bytes and bits.
    @Test(arguments: [
        (
            #"{ "kind": "text", "mediaType": "text/plain", "maxLength": 16777216, "maxBytes": 16777216 }"#,
            "returns up to 16 MiB of text: the host cannot look into it; a record or a table with bounds says more to people"
        ),
        (
            #"{ "kind": "bytes", "mediaType": "image/png", "maxBytes": 5000 }"#,
            "returns up to 5 KiB of image/png: the host cannot look into it; a record or a table with bounds says more to people"
        ),
        (
            #"{ "kind": "record", "maxBytes": 40, "fields": { "n": { "type": "integer", "min": 0, "max": 9 } } }"#,
            "returns a record of up to 1 number or word of a list: every field has bounds, and the host writes it out again"
        ),
        (
            #"{ "kind": "table", "maxRows": 40000, "maxBytes": 2097152, "columns": [ { "name": "d", "type": "text", "maxLength": 10 } ] }"#,
            "returns a table of up to 40,000 rows, 914 KiB of text: free text, which may say anything: d; oneOf says less"
        ),
    ])
    func theCheckSpeaksAsAPersonWould(result: String, words: String) throws {
        let manifest = try ResultSchemaTests.manifest(result)
        let finding = try #require(ManifestCheck.lint(manifest).first { $0.permission.hasPrefix("returns") })
        #expect("\(finding.permission): \(finding.why)" == words)
    }

    @Test(arguments: [
        (1, "1 bit"), (23, "23 bits"), (8_185, "8185 bits"), (8_186, "1 KiB"), (8_194, "2 KiB"),
        (8_000_006, "977 KiB"), (134_217_729, "16 MiB"), (134_217_730, "17 MiB"),
    ])
    func manyBitsAreToldAsBytes(bits: Int, words: String) {
        #expect(Capacity.words(bits) == words)
    }

    @Test func theCheckTellsOfAFileThatIsSentInMebibytes() throws {
        let manifest = try Manifest.parseAuthored(
            try Fixture.read("\(Fixture.root)/Plugins/post-picture/plugin.json"), file: "plugin.json")
        let findings = ManifestCheck.lint(manifest).map(\.permission).filter { $0.hasPrefix("sends to ") }
        #expect(findings.first == "sends to bsky.social (upload): at most 977 KiB a run", "\(findings)")
    }

    /// A grant is for what the schema lets through, in whatever words.
    @Test func anotherSentenceIsNoOtherPermission() throws {
        let old = try schema(#""n": { "type": "integer", "learns": "how many there are" }"#)
        let new = try schema(#""n": { "type": "integer", "learns": "their number" }"#)
        var changes = Changes()
        new.changes(from: old, &changes)
        #expect(changes.sorted.isEmpty)
    }
}
