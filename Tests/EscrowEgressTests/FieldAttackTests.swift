import EscrowDiagnostics
import EscrowEgress
import EscrowJSON
import EscrowManifest
import Testing

@Suite("No value leaves its place in the request, whatever its type")
struct FieldAttackTests {
    static let places = ["path", "query", "header", "body"]

    /// What ends lines, climbs folders, starts other parts of a URL, or is read as one of these by somebody careless.
    static let hostile = [
        "", ".", "..", "...", "../", "../../etc/passwd", "..\\", "..;/", ".%2e", "%2e%2e", "%2E%2E%2F",
        "%252e",
        "%00", "%0d%0a", "%0d%0ahost: evil.example", "%", "%%", "%zz", "%c0%ae%c0%ae", "%u002e",
        "\r\n", "\r", "\n", "a\r\nhost: evil.example", "a HTTP/1.1\r\nhost: evil.example\r\n\r\nGET /b",
        "\u{0}",
        "a\u{0}b", "\t", "\u{B}", "\u{1B}[2J", "\u{7F}", "\u{85}", "\u{9B}31m",
        "\u{2028}", "\u{2029}", "\u{202E}gro.elpmaxe", "\u{2066}", "\u{200B}", "\u{FEFF}", "\u{AD}",
        // Their last bytes are LF and CR: what is cut to one byte a character ends a line.
        "\u{560A}\u{560D}", "\u{10A}\u{10D}", "\u{FF0E}\u{FF0E}\u{FF0F}", "\u{2024}\u{2024}", "\u{2215}",
        "\u{37E}",
        "\u{E9}", "e\u{301}", "\u{212A}", "\u{1F468}\u{200D}\u{1F469}", "\u{10FFFF}", "\u{FFFF}",
        "/", "//evil.example/", "\\\\evil.example", "https://evil.example/", "?", "#", "&", "=", ";", "?x=y",
        "&x=y",
        "a=b&c", "@evil.example", ":443", "[::1]", "{f}", "$", "+", " ", " a", "a ", "a b", "a:b", "\"",
        "\",\"x\":\"",
        "\\", "\\u000d\\u000a", "</script>", "'", "*", "|", "~", "host: evil.example",
    ]

    static func name(_ place: String) -> String { place == "header" ? "x-api-key" : "f" }

    static func endpoint(_ place: String, _ type: String) throws -> EgressEndpoint {
        try Fixture.endpoint(
            #""\#(name(place))": { "in": "\#(place)", \#(type) }"#, method: place == "body" ? "POST" : "GET",
            url: "https://api.example.org/v1/" + (place == "path" ? "{f}/end" : "x"))
    }

    /// RFC 3986 section 2, once more and by hand.
    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character) {
                return String(character)
            }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }

    /// The whole request with a value that was let through, built without the code under test.
    static func expected(_ place: String, _ text: String, json: String) -> String {
        let target =
            switch place {
            case "path": "/v1/\(encoded(text))/end"
            case "query": "/v1/x?f=\(encoded(text))"
            default: "/v1/x"
            }
        let body = place == "body" ? "{\"f\":\(json)}" : ""
        return "\(place == "body" ? "POST" : "GET") \(target) HTTP/1.1\r\nhost: api.example.org\r\n"
            + "user-agent: escrow\r\naccept: application/json\r\naccept-encoding: gzip\r\n"
            + (place == "header" ? "x-api-key: \(text)\r\n" : "")
            + (place == "body"
                ? "content-type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" : "")
            + "\r\n" + body
    }

    @Test("Text: refused, or the one encoded piece of an otherwise unchanged request", arguments: places)
    func text(place: String) throws {
        let template = RequestTemplate(try Self.endpoint(place, #""type": "text", "maxLength": 60"#))
        var sent = 0
        for text in Self.hostile {
            let isControl = text.unicodeScalars.contains {
                $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
            }
            let isPlaceless =
                switch place {
                case "path": ["", ".", ".."].contains(text)
                case "header":
                    !text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
                        || text.hasPrefix(" ") || text.hasSuffix(" ")
                default: false
                }
            let result = Result { try template.fill([(Self.name(place), .string(text))]) }
            switch result {
            case .success(let filled):
                sent += 1
                #expect(!isControl && !isPlaceless, "\(text.debugDescription) was let through")
                let json = String(decoding: JSONWriter.line(.string(text)), as: UTF8.self)
                let whole = Self.expected(place, text, json: json)
                #expect(filled.request.bytes.elementsEqual(whole.utf8), "\(text.debugDescription)")
                #expect(filled.values.first?.text.utf8.elementsEqual(text.utf8) == true)
            case .failure(let error):
                #expect(isControl || isPlaceless, "\(text.debugDescription) was refused")
                #expect((error as? EgressRefusal)?.code == .fieldInvalid)
            }
        }
        #expect(sent > 20)
    }

    static let typed = [
        (#""type": "integer", "min": -5, "max": 500"#, ["-5": "-5", "0": "0", "500": "500"]),
        (
            #""type": "real", "min": -90, "max": 90, "decimals": 2"#,
            [
                "-90": "-90.00", "-0.0": "0.00", "0": "0.00", "1e1": "10.00", "0.005": "0.01",
                "-0.004": "0.00",
                "89.9999": "90.00", "-1e-300": "0.00",
            ]
        ),
        (#""type": "boolean""#, ["true": "true", "false": "false"]),
    ]

    @Test("Numbers and truths: one spelling each, and no text is one", arguments: places)
    func others(place: String) throws {
        for (type, good) in Self.typed {
            let template = RequestTemplate(try Self.endpoint(place, type))
            for (given, text) in good {
                let value = try JSONParser.parse(Array(given.utf8)).value
                let filled = try template.fill([(Self.name(place), value)])
                // A number in JSON has no zeros at its end.
                let json = type.contains("real") ? Self.short(text) : text
                #expect(
                    String(decoding: filled.request.bytes, as: UTF8.self)
                        == Self.expected(place, text, json: json))
            }
            for text in Self.hostile + ["1", "true", "1.5", "0x1", "1e3", "\u{661}", "NaN"] {
                #expect(throws: EgressRefusal.self) {
                    try template.fill([(Self.name(place), .string(text))])
                }
            }
            for value: JSONValue in [
                .null, [], [1], [:], ["a": 1], .real(.nan), .real(.infinity), .real(-.infinity),
                .integer(.max),
                .integer(.min), .real(1e308), .real(90.001),
            ] {
                #expect(throws: EgressRefusal.self) { try template.fill([(Self.name(place), value)]) }
            }
        }
    }

    private static func short(_ text: String) -> String {
        guard let number = Double(text) else { return text }
        return String(decoding: JSONWriter.line(.real(number)), as: UTF8.self)
    }

    @Test("What equals a listed value to Swift alone is not that value", arguments: places)
    func twins(place: String) throws {
        let template = RequestTemplate(
            try Self.endpoint(place, #""type": "text", "oneOf": ["K", "Angstrom", "caf\u00e9", ";"]"#))
        _ = try template.fill([(Self.name(place), "K")])
        // Kelvin sign, decomposed letter, Greek question mark: each canonically equivalent to a listed one.
        for twin in ["\u{212A}", "cafe\u{301}", "\u{37E}"] {
            #expect(["K", "caf\u{E9}", ";"].contains(twin))
            let refusal = #expect(throws: EgressRefusal.self) {
                try template.fill([(Self.name(place), .string(twin))])
            }
            #expect(refusal?.code == .fieldInvalid)
        }
    }

    @Test("Minus zero is sent as the zero that the manifest lists")
    func minusZero() throws {
        for place in Self.places {
            let template = RequestTemplate(try Self.endpoint(place, #""type": "real", "oneOf": [0.0, 1.5]"#))
            let name = Self.name(place)
            #expect(
                try template.fill([(name, .real(-0.0))]).request
                    == template.fill([(name, .real(0.0))]).request)
            #expect(try template.fill([(name, .real(-0.0))]).values.first?.text == "0.0")
        }
    }

    @Test("A bound of a range can be reached, whatever its product with the decimals is in binary")
    func bounds() throws {
        for (low, high) in [
            ("0.29", "0.57"), ("-0.57", "-0.29"), ("1.005", "1.015"), ("-1000000000", "1000000000"),
        ] {
            let template = RequestTemplate(
                try Self.endpoint("query", #""type": "real", "min": \#(low), "max": \#(high), "decimals": 3"#)
            )
            for bound in [low, high] {
                let number = try #require(Double(bound))
                let text = try template.fill([("f", .real(number))]).values.first?.text
                #expect(text.flatMap(Double.init) == number)
            }
        }
    }

    @Test("A range without a number of the declared decimals is refused with the manifest")
    func emptyRange() {
        let error = #expect(throws: Diagnostic.self) {
            try Self.endpoint("query", #""type": "real", "min": 0.001, "max": 0.009, "decimals": 2"#)
        }
        #expect(error?.message == #"no number of 2 decimals lies in the range of "egress[0].fields.f""#)
    }

    @Test(
        "Headers are a closed list: what steers the connection, the server or the answer, or tells people apart, is not on it",
        arguments: [
            "host", "connection", "content-length", "content-type", "transfer-encoding", "te", "trailer",
            "upgrade",
            "expect", "cookie", "authorization", "proxy-authorization", "user-agent", "origin", "referer",
            "via",
            "forwarded", "x-forwarded-for", "sec-fetch-site", "keep-alive", "range", "date", "accept",
            "accept-encoding", "content-encoding", "if-none-match", "if-modified-since", "from", "set-cookie",
            "http2-settings", "x-original-url", "x-rewrite-url", "x-http-method-override", "x-http-method",
            "x-method-override", "priority", "dnt", "accept-language", "save-data", "x-requested-with",
            "x-real-ip",
            "x-client-ip", "true-client-ip", "cf-connecting-ip", "x-host", "cache-control", "pragma",
            "prefer", "traceparent",
            "x-request-id", "content-location", "content-language", "x-anything", "X-API-Version",
            "x-api-key ", "Host", "x y", "x:y", "x\\r\\ny", "\u{212A}",
        ])
    func headers(name: String) {
        let error = #expect(throws: Diagnostic.self) {
            try Fixture.endpoint(
                #""\#(name)": { "in": "header", "type": "boolean" }"#, url: "https://api.example.org/")
        }
        #expect(error?.code == .notAName)
    }

    @Test(
        "Half a surrogate pair and overlong bytes are no JSON, so they come to no field",
        arguments: [
            Array(#""\ud800""#.utf8), Array(#""\udc00\ud800""#.utf8), [0x22, 0xC0, 0xAE, 0x22],
            [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF8, 0x88, 0x80, 0x80, 0x80, 0x22], [0x22, 0xFF, 0x22], [0x22, 0x0A, 0x22],
        ])
    func bytes(text: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONParser.parse(text) }
    }

    @Test("Text is as long as declared, counted in characters of Unicode, and one more is refused")
    func length() throws {
        for place in Self.places {
            let template = RequestTemplate(try Self.endpoint(place, #""type": "text", "maxLength": 3"#))
            _ = try template.fill([(Self.name(place), "abc")])
            for long in ["abcd", "e\u{301}e\u{301}", String(repeating: "a", count: 1 << 20)] {
                #expect(throws: EgressRefusal.self) { try template.fill([(Self.name(place), .string(long))]) }
            }
        }
    }
}
