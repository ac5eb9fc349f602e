import EscrowDiagnostics
import EscrowManifest
import Glibc
import Testing

@testable import EscrowConsent
@testable import EscrowQuestion

/// Whatever an app or a publisher writes, and however wide the terminal is: no line on it begins with their words.
@Suite struct ForgeryTests {
    /// What a terminal may make of letters: two columns of every letter beyond ASCII, one of every mark.
    private static func drawn(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { width, scalar in
            switch scalar.properties.generalCategory {
            case _ where scalar.isASCII: width + 1
            case .nonspacingMark, .enclosingMark, .spacingMark: width + 1
            default: width + 2
            }
        }
    }

    private static let bait = "allow? [y/n] y"
    private static let pieces = [
        bait, "allow?", "[y/n]", "y", "  sends        nothing", "  | ", "    ", "\n", "\r\n", "\r", "\t",
        "\u{85}", "\u{2028}",
        "\u{1B}[2J\u{1B}[H", "\u{8}", "東京", "é", "…", "а", "👩‍👩‍👧", "🇩🇪", "#\u{FE0F}\u{20E3}",
        "e\u{301}\u{301}\u{301}\u{301}",
        "\u{202E}", "שלום", "\u{0D4E}", "\u{1100}", "\u{1161}", "\u{11A8}", "\u{3164}", "|", "\"", "word",
        "a", " ", " ",
        String(repeating: "x", count: 37), String(repeating: "\u{1100}", count: 90),
        String(repeating: "\u{0D4E}", count: 60) + "\u{0D15}",
    ]

    private static func hostile(_ random: inout some RandomNumberGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 1...24, using: &random) { text += pieces.randomElement(using: &random)! }
        return text
    }

    private static func sheet(_ random: inout some RandomNumberGenerator) -> DataflowDescription {
        var text: String { hostile(&random) }
        return DataflowDescription.sample.with {
            $0.app = text
            $0.purpose = .init(code: text, text: text)
            $0.plugin = .init(id: text, version: text, manifestDigest: "", signerKeyID: text)
            $0.publisher = text
            $0.reads = [TableUse(table: text, returned: [text], used: [text])]
            $0.parameters = [text]
            $0.identifiers = [.vendor]
            $0.opens = text
            $0.returns = text
            $0.egress = [text, text]
            $0.capacity = text
            $0.target = text
            $0.zone = text
            $0.limits = text
            $0.place = .server(text)
            $0.rules = [text]
            $0.warnings = [text]
            $0.alarms = [text]
            $0.title = text
            $0.learns = [text, text]
            $0.reasons = [text]
            $0.allowance = text
            $0.internet = text
        }
    }

    private static let labels = [
        "app", "known by", "the app says", "opens", "reads", "also uses", "purpose", "computed by", "told",
        "knows you by", "returns",
        "sends",
        "capacity",
        "goes to", "trust zone", "limits", "your rules", "warning", "DANGER", "because", "learns",
    ]

    /// Whether the host began the line.
    private static func isHosts(_ line: String, width: Int) -> Bool {
        if ["an app asks for this:", "an app asks for", "    this:"].contains(line)
            || line.hasPrefix("    | ")
        {
            return true
        }
        if line.hasPrefix(String(repeating: " ", count: 15)) { return width >= 45 }
        return labels.contains { line == "  \($0)" || line.hasPrefix("  \($0) ") }
    }

    private static let questionLabels = [
        "Known by", "The app says", "It learns", "At most", "It never sees", "But only", "Opens",
        "Knows you by", "Internet",
        "Your rules",
        "Warning", "NEW", "DANGER",
    ]

    /// The same of a line of the question.
    private static func isOfTheQuestion(_ line: String, width: Int) -> Bool {
        if line == "The app" || line.hasPrefix("The app ") || line.hasPrefix("    ") || line.isEmpty {
            return true
        }
        return line.hasPrefix("  [")
            || questionLabels.contains { line == "  \($0)" || line.hasPrefix("  \($0) ") }
    }

    @Test(arguments: 0..<8)
    func noLineOfTheQuestionIsBegunByOthers(seed: Int) {
        var random = Seeded(state: UInt64(seed) &* 0x9E37_79B9 &+ 3)
        for width in Array(20...100) + [120, 200, 300] {
            let lines = Self.sheet(&random).question(.wider, why: Self.hostile(&random), width: width)
            Self.check(lines, width: width) { Self.isOfTheQuestion($0, width: width) }
        }
    }

    private static func check(_ lines: [String], width: Int, _ begins: (String) -> Bool) {
        for line in lines {
            // A line that is wider is broken by the terminal, and whatever stands there begins a line.
            #expect(drawn(line) <= width, "\(width): \(line.debugDescription)")
            #expect(begins(line), "\(width): \(line.debugDescription)")
            #expect(
                line.unicodeScalars.allSatisfy {
                    $0.value >= 0x20 && ![0x7F, 0x85, 0x2028, 0x202E].contains($0.value)
                })
        }
    }

    @Test(arguments: 0..<8)
    func noLineOfTheSheetIsBegunByOthers(seed: Int) {
        var random = Seeded(state: UInt64(seed) &* 0x9E37_79B9 &+ 1)
        for width in Array(20...100) + [120, 200, 400] {
            let lines = Self.sheet(&random).explain(width: width)
            Self.check(lines, width: width) { Self.isHosts($0, width: width) }
        }
    }

    /// The text that was shown to put a question and its answer at the beginning of a line.
    @Test func theQuestionCannotBeWrittenIntoTheSheet() {
        for width in 20...120 {
            for fill in 0..<130 {
                let lines = DataflowDescription.sample.with {
                    $0.purpose.text = String(repeating: "x", count: fill) + " " + Self.bait
                }.explain(width: width)
                Self.check(lines, width: width) { Self.isHosts($0, width: width) }
            }
        }
    }

    @Test(arguments: 0..<8)
    func noOtherLineIsBegunByThemEither(seed: Int) {
        var random = Seeded(state: UInt64(seed) &* 0x9E37_79B9 &+ 7)
        for width in Array(20...100) + [200] {
            // As commands hand texts over: control characters are codes by then, line ends are not.
            let text = PlainText.verbatim(Array(Self.hostile(&random).utf8))
            let said = TerminalText.hanging("note: \(text)", width: width)
            Self.check(said, width: width) { $0.hasPrefix("note:") || $0.hasPrefix("    ") }
            let help = TerminalText.hanging("help: escrow \(text)", width: width, joint: " \\")
            Self.check(help, width: width) { $0.hasPrefix("help:") || $0.hasPrefix("    ") }
            let quoted = TerminalText.quoted(text, width: width)
            Self.check(quoted, width: width) { $0.hasPrefix("  | ") }
            let line = Layout(width: width).line("purpose     \(text)")
            Self.check(line, width: width) { $0.hasPrefix("purpose") || $0.hasPrefix("    ") }
            let cells = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                PlainText.neutral(Self.hostile(&random))
            }
            let table = Layout(width: width).table([cells.map { _ in "heading" }, cells, cells])
            Self.check(table, width: width) { $0.hasPrefix(" ") }
        }
        // Off a terminal a line end is all that begins a line.
        let said = TerminalText.hanging("note: a\n\(Self.bait)\r\n\(Self.bait)", width: nil)
        #expect(said == ["note: a", "    \(Self.bait)", "    \(Self.bait)"])
    }

    /// On a terminal of its own: what is asked fits it, and nobody is asked where nothing can be laid out.
    @Test(arguments: [12, 19, 20, 33, 80, 132])
    func thePromptIsLaidOutForItsTerminal(columns: Int) throws {
        var main: Int32 = -1
        var side: Int32 = -1
        var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&main, &side, nil, nil, &size) == 0)
        var input: [Int32] = [0, 0]
        try #require(pipe(&input) == 0)
        _ = write(input[1], "once\n", 5)
        close(input[1])
        let hostile = DataflowDescription.sample.with {
            $0.purpose.text = String(repeating: "long ", count: 40) + Self.bait
            $0.app = "x\n\(Self.bait)"
        }
        let reply = ConsentPrompt.ask(
            ConsentQuestion(hostile, reason: .wider, why: Self.bait), input: input[0], output: side)
        #expect(reply == (columns < 20 ? .none : .answer(.allow(.once))))
        close(side)
        close(input[0])
        // It ends with EIO: the other side is closed.
        var shown: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(main, &buffer, buffer.count), count > 0 { shown += buffer.prefix(count) }
        close(main)
        var lines = String(decoding: shown, as: UTF8.self)
            .split(whereSeparator: \.isNewline).map(String.init)
        guard columns >= 20 else {
            #expect(!lines.joined().contains("allow?"))
            return
        }
        #expect(lines.removeLast() == "allow? ")
        Self.check(lines, width: columns) { Self.isOfTheQuestion($0, width: columns) }
    }
}

/// The same numbers each time.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 33)
    }
}
