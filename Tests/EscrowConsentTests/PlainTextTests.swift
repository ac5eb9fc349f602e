import Testing

@testable import EscrowConsent

@Suite struct PlainTextTests {
    @Test(arguments: [
        ("plain words", "plain words"), ("Zoë's café, 東京", "Zoë's café, 東京"),
        ("a\u{1B}[2Jb", "a‹U+001B›[2Jb"), ("a\u{9B}2Jb", "a‹U+009B›2Jb"),
        ("a\u{7}b\u{8}c\u{7F}", "a‹U+0007›b‹U+0008›c‹U+007F›"),
        ("one\r\ntwo\n  sends  nothing", "one two sends nothing"), ("a\u{85}b", "a b"),
        ("\u{202E}evil\u{202C}", "‹U+202E›evil‹U+202C›"), ("a\u{2066}b\u{2069}", "a‹U+2066›b‹U+2069›"),
        ("a\u{200B}b\u{FEFF}", "a‹U+200B›b‹U+FEFF›"), ("a\u{2028}b\u{2029}", "a‹U+2028›b‹U+2029›"),
        ("a\u{E0041}b", "a‹U+E0041›b"), ("a\u{A0}\u{3000}b", "a b"), ("  a  ", "a"), ("", ""),
        ("a\u{3164}\u{2800}b", "a‹U+3164›‹U+2800›b"),
        ("a\u{115F}\u{FFA0}\u{34F}b", "a‹U+115F›‹U+FFA0›‹U+034F›b"),
        ("a\u{FE0F}", "a\u{FE0F}"),
    ])
    func nothingIsLeftThatATerminalObeys(text: String, shown: String) {
        #expect(PlainText.neutral(text) == shown)
    }

    @Test func everyScalarBelowALimitIsHarmless() {
        for value in (0...0x2FFFF as ClosedRange<UInt32>) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for shown in PlainText.neutral("a" + String(scalar) + "b").unicodeScalars {
                let category = shown.properties.generalCategory
                let isHarmless =
                    ![.control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned]
                    .contains(category)
                guard isHarmless else {
                    Issue.record("U+\(String(value, radix: 16)) comes through")
                    return
                }
            }
        }
    }

    /// Plain texts take a shorter way, which must come to the same.
    @Test func plainTextsStayAsTheyAre() {
        var texts = [""]
        for _ in 0..<7 { texts += texts.flatMap { text in ["x", " ", "~"].map { text + $0 } } }
        for text in Set(texts) {
            let words = text.split(separator: " ").joined(separator: " ")
            #expect(PlainText.neutral(text) == words)
            // The long way: a letter beyond ASCII is in it.
            #expect(
                PlainText.neutral("é" + text) == ("é" + text).split(separator: " ").joined(separator: " "))
        }
        let full = String(repeating: "x", count: PlainText.longest)
        #expect(PlainText.neutral(full) == full)
        #expect(PlainText.neutral(full + "x") == full + "…")
        #expect(PlainText.neutral("ab cd", longest: 5) == "ab cd")
        #expect(PlainText.neutral("ab cd", longest: 4) == "ab c…")
        #expect(PlainText.quoted("ab cd") == "\"ab cd\"")
    }

    @Test func longTextsAndPilesOfMarksAreCut() {
        #expect(PlainText.neutral(String(repeating: "x", count: 5000)).count == 301)
        #expect(PlainText.neutral("a" + String(repeating: "\u{301}", count: 5000)).unicodeScalars.count == 4)
        #expect(PlainText.neutral(String(repeating: "\u{1B}", count: 5000)).count < 320)
    }

    @Test func aQuotationCannotBeClosedFromWithin() {
        #expect(PlainText.quoted("x\" (checked by the police) \"y") == "\"x' (checked by the police) 'y\"")
        #expect(PlainText.quoted("x\"\u{301} y") == "\"x'\u{301} y\"")
    }
}
