import EscrowJSON
import Testing

@Suite struct JSONParserTests {
    @Test(arguments: [
        ("{\"a\":1,\"a\":2}", JSONError.Reason.duplicateMember("a", firstLine: 1)),
        ("\u{FEFF}{}", .byteOrderMark), ("{} {}", .trailingBytes), ("[1,]", .unexpectedByte),
        ("[01]", .invalidNumber),
        ("-0", .invalidNumber), ("1e400", .invalidNumber), ("9223372036854775808", .integerOutOfRange),
        ("NaN", .unexpectedByte), ("\"\\ud800\"", .invalidText), ("\"\\u0000\"", .invalidText),
        ("\"\\x\"", .invalidEscape), ("\"a\nb\"", .controlCharacter), ("[1", .unexpectedEnd),
        ("", .unexpectedEnd),
        ("// no\n{}", .unexpectedByte), ("'a'", .unexpectedByte), ("1.", .unexpectedEnd),
        ("+1", .unexpectedByte),
        (String(repeating: "[", count: 66), .tooDeep), (String(repeating: "1", count: 65), .invalidNumber),
    ])
    func refusesWhatTwoReadersMightUnderstandDifferently(text: String, reason: JSONError.Reason) {
        #expect(throws: JSONError.self) { try JSONParser.parse(text) }
        do { _ = try JSONParser.parse(text) } catch { #expect(error.reason == reason) }
    }

    @Test func refusesBytesThatAreNotUTF8() {
        for bytes: [UInt8] in [
            [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xFF, 0x22],
        ] {
            #expect(throws: JSONError.self) { try JSONParser.parse(bytes) }
        }
    }

    @Test func wholeNumbersAndOthersStayApart() throws {
        let items = try JSONParser.parse("[1, 1.0, 1e2, -7, 9223372036854775807]").value.array ?? []
        #expect(items == [1, .real(1), .real(100), -7, .integer(.max)])
    }

    @Test func namesThePlaceOfEveryValue() throws {
        let node = try JSONParser.parse("{\n  \"a\": [1,\n 22]\n}")
        guard case .object(let members) = node.content, case .array(let items) = members[0].value.content
        else {
            Issue.record("not an object with an array")
            return
        }
        #expect(members[0].position == JSONPosition(line: 2, column: 3, offset: 4))
        #expect(items[1].position == JSONPosition(line: 3, column: 2, offset: 14))
    }

    @Test func boundsTheNumberOfValues() {
        let bomb = "[" + String(repeating: "[],", count: 1_000) + "[]]"
        #expect(throws: JSONError.self) { try JSONParser.parse(bomb, limits: .init(values: 1_000)) }
        #expect(throws: Never.self) { try JSONParser.parse(bomb, limits: .init(values: 1_002)) }
    }

    @Test func writesWhatItReads() throws {
        let text = #"{"a":[1,-2.5,"ä\n\"\\",true,null],"b":{"c":"\u007f","😀":{}}}"#
        let value = try JSONParser.parse(text).value
        #expect(String(decoding: JSONWriter.line(value), as: UTF8.self) == text)
        #expect(try JSONParser.parse(JSONWriter.document(value)).value == value)
    }

    @Test func namesThatOnlyLookAlikeAreDifferent() throws {
        var object = try JSONObjectReader(try JSONParser.parse(#"{"\u212aey":1}"#))
        #expect(object.optional("Key") == nil)
        #expect(throws: JSONError.self) { try object.finish() }
    }

    @Test func unknownMemberComesWithTheNearestName() throws {
        var object = try JSONObjectReader(try JSONParser.parse(#"{"egres":[]}"#))
        _ = object.optional("egress")
        _ = object.optional("limits")
        do {
            try object.finish()
            Issue.record("an unknown member was accepted")
        } catch {
            #expect(error.reason == .unknownMember("egres", suggestion: "egress"))
            #expect(error.message == "unknown member \"egres\"")
            #expect(error.impersonalMessage == "unknown member")
        }
    }

    /// Few names are compared one by one, many by a table.
    @Test func aNameTwiceIsFoundAmongAnyNumber() throws {
        for count in 2...40 {
            for (first, second) in [(0, count - 1), (count - 2, count - 1), (0, 1), (count / 2, count - 1)]
            where first < second {
                var names = (0..<count).map { "n\($0)" }
                _ = try JSONParser.parse("{" + names.map { "\"\($0)\":0" }.joined(separator: ",\n") + "}")
                names[second] = names[first]
                let text = "{" + names.map { "\"\($0)\":0" }.joined(separator: ",\n") + "}"
                let error = #expect(throws: JSONError.self) { try JSONParser.parse(text) }
                #expect(error?.reason == .duplicateMember(names[first], firstLine: first + 1), "\(count)")
                #expect(error?.position.line == second + 1)
            }
        }
    }
}
