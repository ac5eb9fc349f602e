import EscrowDiagnostics
import Glibc
import Testing

/// How wide a text is on a terminal.
@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("plain", 5), ("Zoë", 3), ("Zoe\u{308}", 3), ("東京", 4), ("한국", 4),
        ("\u{1112}\u{1161}\u{11AB}", 2),
        ("ｆｕｌｌ", 8), ("ﾊﾝ", 2), ("🗓", 1), ("🗓\u{FE0F}", 2), ("🎵", 2), ("👩🏽", 4), ("🇩🇪", 2), ("שלום", 4),
        ("a…b", 3), ("𠮷", 2), ("“x”", 3),
    ])
    func itIsTheColumns(text: String, columns: Int) { #expect(text.displayWidth == columns) }

    @Test func whatTheSourceBrokeIsPutTogether() {
        let long = String(repeating: "word ", count: 20) + "and there is"
        #expect(
            TerminalText.unwrapped("A page\n\n\(long)\nno more.\nExample: one\n  escrow run\n") == [
                "A page", "", long + " no more.", "Example: one", "  escrow run", "",
            ])
        #expect(TerminalText.unwrapped("\(long).\nAnother one") == [long + ".", "Another one"])
    }

    /// Half a command could allow more than the whole; half a sentence is none.
    @Test func aCommandGoesOnBehindABackslashAndASentenceDoesNot() {
        func help(_ text: String) -> [String] { TerminalText.help("help: " + text, width: 40) }
        #expect(
            help("`escrow schema TABLE` lists the columns; a text is written in single quotes") == [
                "help: `escrow schema TABLE` lists", "    the columns; a text is written in",
                "    single quotes",
            ])
        #expect(
            help("decide: escrow grant allow --app org.example.notes --plugin weather") == [
                "help: decide: escrow grant allow \\", "    --app org.example.notes --plugin \\",
                "    weather",
            ])
        #expect(
            help("it is: escrow grant limit --less 'a; b' --plugin weather; then ask your app to run it") == [
                "help: it is: escrow grant limit \\", "    --less 'a; b' --plugin weather;",
                "    then ask your app to run it",
            ])
        #expect(TerminalText.help("help: escrow grant list", width: nil) == ["help: escrow grant list"])
    }

    /// The C library's answer for each letter that has long been in Unicode; where it knows no such locale there is none.
    @Test func theCLibrarySaysTheSame() throws {
        // A name that the module of the C library hides, since the standard lets it be missing.
        guard let symbol = dlsym(nil, "wcwidth"),
            let locale = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
        else {
            print("SKIP: the C library has no wcwidth, or no locale C.UTF-8")
            return
        }
        let wcwidth = unsafeBitCast(symbol, to: (@convention(c) (UInt32) -> Int32).self)
        defer { freelocale(locale) }
        let before = uselocale(locale)
        defer { uselocale(before) }
        var different: [String] = []
        for value in UInt32(0x20)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age,
                (age.major, age.minor) <= (13, 0),
                // The selector counts with what it makes an emoji of; the Ahom vowel has changed its class since.
                value != 0xFE0F, value != 0x1171E
            else { continue }
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                continue
            default: break
            }
            let theirs = Int(wcwidth(value))
            if String(scalar).displayWidth != theirs, theirs >= 0 {
                different.append("U+\(String(value, radix: 16)) \(String(scalar).displayWidth) \(theirs)")
            }
        }
        #expect(different == [])
    }
}
