import EscrowDiagnostics
import EscrowJSON
import EscrowManifest
import Testing

@Suite struct ResultSchemaTests {
    private static let record = """
        { "kind": "record", "maxBytes": 120, "fields": {
          "mean": { "type": "real", "min": -10, "max": 100, "decimals": 1 },
          "n": { "type": "integer", "min": 5 },
          "word": { "type": "text", "oneOf": ["low", "high"], "nullable": true },
          "ok": { "type": "boolean" },
          "parts": { "type": "list", "items": { "type": "integer", "min": 0, "max": 9 }, "maxItems": 3 } } }
        """
    private static let table = """
        { "kind": "table", "maxRows": 3, "maxBytes": 200, "orderBy": ["visits desc"], "columns": [
          { "name": "city", "type": "text", "maxLength": 8 }, { "name": "visits", "type": "integer" } ] }
        """

    private func schema(_ text: String) throws -> ResultSchema { try Self.schema(text) }

    static func schema(_ text: String) throws -> ResultSchema { try manifest(text).result }

    /// The manifest that most tests begin with, with another schema.
    static func manifest(_ text: String) throws -> Manifest {
        let whole = try Fixture.text
        guard let start = whole.firstRange(of: "\"result\": {"), let end = whole.firstRange(of: "\"egress\":")
        else {
            throw Fixture.Missing(path: "result")
        }
        let bytes = Array(
            (whole[..<start.lowerBound] + "\"result\": \(text),\n" + whole[end.lowerBound...]).utf8)
        return try Manifest.parse(bytes, file: "plugin.json")
    }

    private func refusal(_ schema: ResultSchema, _ text: String) throws -> Diagnostic? {
        let node = try JSONParser.parse(text)
        do { _ = try schema.normalize(node) } catch { return error }
        return nil
    }

    @Test(arguments: [
        #"{"mean":41.25,"n":12,"word":null,"ok":1,"parts":[1,2]}"#,
        #"{ "parts" : [1, 2], "ok":true, "word": null, "n": {"i64":"12"}, "mean": 4.125e1 }"#,
    ])
    func theSpellingOfARecordCarriesNothing(text: String) throws {
        let result = try schema(Self.record).normalize(JSONParser.parse(text))
        #expect(
            String(decoding: result.bytes, as: UTF8.self)
                == #"{"mean":41.3,"n":12,"word":null,"ok":true,"parts":[1,2]}"#)
        #expect(result.size == result.bytes.count)
    }

    @Test func negativeZeroIsZero() throws {
        let text = #"{"mean":-0.01,"n":5,"word":"low","ok":false,"parts":[]}"#
        let result = try schema(Self.record).normalize(JSONParser.parse(text))
        #expect(
            String(decoding: result.bytes, as: UTF8.self)
                == #"{"mean":0.0,"n":5,"word":"low","ok":false,"parts":[]}"#)
    }

    @Test(arguments: [
        (#"{"mean":1,"n":5,"word":"low","ok":true}"#, "E0523"),
        (#"{"mean":1,"n":5,"word":"low","ok":true,"parts":[],"canary":1}"#, "E0523"),
        (#"{"mean":"canary","n":5,"word":"low","ok":true,"parts":[]}"#, "E0523"),
        (#"{"mean":1,"n":5.0,"word":"low","ok":true,"parts":[]}"#, "E0523"),
        (#"{"mean":1,"n":null,"word":"low","ok":true,"parts":[]}"#, "E0523"),
        (#"{"mean":1,"n":5,"word":"low","ok":2,"parts":[]}"#, "E0523"),
        (#"{"mean":1,"n":5,"word":"low","ok":true,"parts":["canary"]}"#, "E0523"),
        (#"["canary"]"#, "E0523"),
        (#"{"mean":101,"n":5,"word":"low","ok":true,"parts":[]}"#, "E0524"),
        (#"{"mean":1,"n":4,"word":"low","ok":true,"parts":[]}"#, "E0524"),
        (#"{"mean":1,"n":5,"word":"canary","ok":true,"parts":[]}"#, "E0524"),
        (#"{"mean":1,"n":5,"word":"low","ok":true,"parts":[1,2,3,4]}"#, "E0524"),
        (#"{"mean":1,"n":5,"word":"low","ok":true,"parts":[10]}"#, "E0524"),
    ])
    func whatWasNotDeclaredIsRefusedWithoutRepeatingIt(text: String, code: String) throws {
        let refused = try refusal(schema(Self.record), text)
        #expect(refused?.code.rawValue == code)
        #expect(refused?.exitStatus == .ruleBroken)
        #expect(!(refused?.description.contains("canary") ?? true))
    }

    @Test func rowsAreSortedByTheHost() throws {
        let schema = try schema(Self.table)
        let one = try schema.normalize(JSONParser.parse(#"{"rows":[["Graz",4],["Lyon",12],["Bari",4]]}"#))
        let other = try schema.normalize(JSONParser.parse(#"{"rows":[["Bari",4],["Graz",4],["Lyon",12]]}"#))
        #expect(String(decoding: one.bytes, as: UTF8.self) == #"[["Lyon",12],["Bari",4],["Graz",4]]"#)
        #expect(one.bytes == other.bytes)
    }

    @Test(arguments: [
        (#"{"rows":[["a",1],["a",1],["a",1],["a",1]]}"#, "E0524"), (#"{"rows":[["a"]]}"#, "E0523"),
        (#"{"rows":[["123456789",1]]}"#, "E0524"), (#"{"rows":[],"more":1}"#, "E0523"),
        (#"{"n":1}"#, "E0523"),
    ])
    func rowsBeyondTheDeclarationAreRefused(text: String, code: String) throws {
        #expect(try refusal(schema(Self.table), text)?.code.rawValue == code)
    }

    @Test func textAndBytesAreMeasured() throws {
        let text = try schema(
            #"{ "kind": "text", "mediaType": "text/plain", "maxLength": 3, "maxBytes": 6 }"#)
        #expect(try text.normalize(JSONParser.parse(#"{"text":"äöü"}"#)).bytes.count == 6)
        #expect(try refusal(text, #"{"text":"abcd"}"#)?.code == .resultOutOfBounds)
        #expect(throws: Diagnostic(.resultNotAsDeclared, "")) { try text.normalize(bytes: [0xFF]) }
        let bytes = try schema(#"{ "kind": "bytes", "mediaType": "image/png", "maxBytes": 2 }"#)
        #expect(try bytes.normalize(bytes: [0xFF, 0xD8]).mediaType == "image/png")
        #expect(throws: Diagnostic(.resultOutOfBounds, "")) { try bytes.normalize(bytes: [1, 2, 3]) }
        #expect(throws: Diagnostic(.resultNotAsDeclared, "")) {
            try bytes.normalize(bytes: [1], mediaType: "image/jpeg")
        }
    }

    @Test(arguments: [
        #"\u200b"#, #"\u200d"#, #"\u00ad"#, #"\u202e"#, #"\u2066"#, #"\ufeff"#, #"\u3164"#, #"\ufe0f"#,
        #"\u2028"#, #"\u001b"#,
        #"\u007f"#, #"\u0085"#, #"\u2800"#, #"\udb40\udc41"#, #"\udb40\udd00"#, #"\ud834\udd59"#, #"\ufffc"#,
        #"\ufff9"#, #"\uffff"#,
    ])
    func lettersThatCannotBeSeenAreRefused(letter: String) throws {
        let text = #"{"rows":[["Gr\#(letter)az",4]]}"#
        #expect(try refusal(schema(Self.table), text)?.code == .invisibleLetters)
        let open = Self.table.replacing(#""maxLength": 8"#, with: #""maxLength": 8, "invisible": true"#)
        #expect(try refusal(schema(open), text) == nil)
        let list =
            #"{ "kind": "record", "maxBytes": 99, "fields": { "a": { "type": "list", "maxItems": 3, "items": { "type": "text", "maxLength": 5 } } } }"#
        #expect(try refusal(schema(list), #"{"a":["b","\#(letter)"]}"#)?.code == .invisibleLetters)
        let whole = #"{ "kind": "text", "mediaType": "text/plain", "maxLength": 9, "maxBytes": 99 }"#
        #expect(try refusal(schema(whole), #"{"text":"b\#(letter)"}"#)?.code == .invisibleLetters)
    }

    @Test func lettersOfAllScriptsAreSeen() throws {
        for text in ["Zoë", "名前", "Ελλάδα", "हिन्दी", "שלום", "🙂", "a\\tb\\nc", "1\u{A0}000"] {
            #expect(try refusal(schema(Self.table), #"{"rows":[["\#(text)",4]]}"#) == nil, "\(text)")
        }
        let number = Self.table.replacing(
            #""type": "integer""#, with: #""type": "integer", "invisible": true"#)
        #expect(throws: Diagnostic(.membersContradict, "")) { try schema(number) }
    }

    @Test func base64HasOneSpelling() {
        for bytes: [UInt8] in [[], [0], [0, 255], [1, 2, 3], Array(0...255)] {
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
        for text in [
            "A", "AA", "AAA", "AB==", "AAB=", "AA=A", "AAAA\n", "AA==AAAA", "A===", "====", "A-_A",
            "AAAA====",
        ] {
            #expect(Base64.decode(text) == nil, "\(text)")
        }
    }
}
