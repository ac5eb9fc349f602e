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
        (#""n": { "type": "integer" }, "t": { "type": "text", "maxLength": 40 }"#, "up to 109 bytes of text"),
        (
            #""t": { "type": "text", "maxLength": 4000 }, "p": { "type": "blob", "maxLength": 9 }"#,
            "up to 120 bytes of text and files"
        ),
        (
            #""l": { "type": "list", "items": { "type": "integer" }, "maxItems": 9 }"#,
            "up to 73 bytes of numbers"
        ),
    ])
    func whatTheSchemaLetsThroughIsSaidPlainly(fields: String, words: String) throws {
        #expect(try schema(fields).allowance == words)
    }

    @Test func rowsAreCounted() throws {
        let table = try ResultSchemaTests.schema(
            #"{ "kind": "table", "maxRows": 40000, "maxBytes": 2097152, "columns": [ { "name": "d", "type": "text", "maxLength": 10 } ] }"#
        )
        #expect(table.allowance == "up to 40,000 rows, 914 KiB of text")
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
