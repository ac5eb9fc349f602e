import EscrowDiagnostics
import EscrowManifest
import Testing

@Suite struct SpellingTests {
    @Test func pluginIDsAreLowerCaseDomainNamesInReverse() {
        for id in ["org.example.a", "a.b", "org.example.phone-check2"] { #expect(PluginID.isValid(id)) }
        for id in [
            "", "a", "a.", ".a.b", "A.b", "a..b", "a.-b", "a.b-", "a.b_c", "a.ü", "a.b.*",
            String(repeating: "a.", count: 65) + "a",
        ] {
            #expect(!PluginID.isValid(id), "\(id)")
        }
    }

    @Test func patternsCoverWholeLabels() {
        #expect(
            PluginID.isPattern("org.example.*") && PluginID.isPattern("org.*")
                && PluginID.isPattern("org.example.a"))
        for pattern in ["*", "org.example*", "org.*.a", "*.example", ".*", "org..*"] {
            #expect(!PluginID.isPattern(pattern))
        }
        #expect(PluginID.matches(pattern: "org.example.*", "org.example.a.b"))
        #expect(!PluginID.matches(pattern: "org.example.*", "org.example"))
        #expect(!PluginID.matches(pattern: "org.example.*", "org.example-evil.a"))
        #expect(!PluginID.matches(pattern: "org.example.a", "org.example.a.b"))
    }

    @Test func versionsHaveTheOrderOfTheirSpecification() throws {
        let order = [
            "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0",
        ]
        let versions = order.compactMap(SemanticVersion.init)
        #expect(versions.map(\.description) == order)
        #expect(versions == versions.shuffled().sorted())
        for text in [
            "1", "1.2", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3+", "v1.2.3", "1.2.3 ", "1.2.3.4", "-1.0.0",
        ] {
            #expect(SemanticVersion(text) == nil, "\(text)")
        }
    }

    @Test func momentsHaveOneSpelling() {
        #expect(Moment("2026-11-21T00:00:00Z")?.seconds == 1_795_219_200)
        #expect(Moment(seconds: 1_795_219_200).description == "2026-11-21T00:00:00Z")
        for text in [
            "2026-11-21T00:00:00.0Z", "2026-11-21T00:00:00z", "2026-11-21 00:00:00Z",
            "2026-11-21T00:00:00+00:00",
            "2026-02-30T00:00:00Z", "", "2026-11-21",
        ] { #expect(Moment(text) == nil, "\(text)") }
        #expect(Moment(day: "20260101")?.description == "2026-01-01T00:00:00Z")
        #expect(Moment(seconds: .max).adding(days: .max).description == "9999-12-31T23:59:59Z")
    }

    /// Blanks, fillers and selectors are no words, though Unicode calls some of them letters.
    @Test(arguments: [
        "\u{A0}", "\u{2003}\u{3000}", "\u{3164}", "\u{2800}", "\u{200D}", "\u{34F}",
        "\u{FE0F}\u{FE0F}\u{FE0F}", "...",
        "a\u{3164}b", "a\u{2800}",
    ])
    func aTextThatSaysNothingIsNoSentence(text: String) throws {
        for (member, name) in [
            (#""title": "Average age""#, "title"), (#""why": "the number being averaged""#, "why"),
            (#""why": "fetch the published mean age to compare with""#, "why"),
        ] {
            let bytes = try Fixture.replacing(member, "\"\(name)\": \"\(text)\"")
            #expect(Fixture.refusal(bytes)?.code == .textNotAllowed, "\(member)")
        }
    }

    @Test(arguments: ["7", "Zähler", "数える", "می\u{200C}خواهم", "a \u{2764}\u{FE0F}"])
    func aWordOfAnyLanguageIsOne(text: String) throws {
        let bytes = try Fixture.replacing("\"title\": \"Average age\"", "\"title\": \"\(text)\"")
        #expect(Fixture.refusal(bytes) == nil)
    }

    /// The Kelvin sign equals a K to Swift, and the Greek question mark a semicolon.
    @Test func wordsAreComparedByteForByte() throws {
        let bytes = try Fixture.replacing("\"method\": \"GET\"", "\"method\": \"M\u{212A}COL\"")
        #expect(Fixture.refusal(bytes)?.code == .wordNotInList)
    }
}
