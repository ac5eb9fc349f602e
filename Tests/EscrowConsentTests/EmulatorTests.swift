import EscrowDiagnostics
import Foundation
import Glibc
import Testing

@testable import EscrowConsent
@testable import EscrowQuestion

/// A terminal emulator draws the question with hostile texts in it, at every width: none of them begins a line.
@Suite struct EmulatorTests {
    /// Draws each text on a screen of its width, and prints its rows, the cursor's last.
    private static let script = """
        import sys, json, pyte
        for line in sys.stdin:
            width, text = json.loads(line)
            screen = pyte.Screen(width, 400)
            pyte.Stream(screen).feed(text)
            # Rows below the cursor are empty, and cost as much as others.
            screen.lines = screen.cursor.y + 1
            print(json.dumps([row.rstrip() for row in screen.display]))
        """

    private static var python: URL? {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let own = root.appending(path: ".build/python/bin/python3")
        let process = Process()
        process.executableURL = own
        process.arguments = ["-c", "import pyte"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        process.waitUntilExit()
        return process.terminationStatus == 0 ? own : nil
    }

    /// The rows of each screen.
    private static func draw(_ screens: [(width: Int, text: String)], _ python: URL) throws -> [[String]] {
        let process = Process()
        process.executableURL = python
        process.arguments = ["-c", script]
        let output = Pipe()
        let file = FileManager.default.temporaryDirectory.appending(path: "screens-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let lines = try screens.map { screen in
            String(
                decoding: try JSONSerialization.data(withJSONObject: [screen.width, screen.text]),
                as: UTF8.self)
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return try data.split(separator: UInt8(ascii: "\n")).map {
            try #require(try JSONSerialization.jsonObject(with: $0) as? [String])
        }
    }

    private static let bait = "allow? [y/n] y"
    /// Wide letters, marks, right-to-left, no width, tabs, line ends, moves of the cursor, and words at every distance.
    private static let hostile = [
        String(repeating: "東京都", count: 30), String(repeating: "e\u{301}\u{302}\u{303}\u{304}", count: 60),
        "\u{202E}שלום עולם مرحبا", String(repeating: "\u{200B}\u{200D}\u{FEFF}", count: 40), "a\tb\t\t\tc",
        "x\n\(bait)\r\n\(bait)\r\(bait)\u{2028}\(bait)\u{85}\(bait)", "\u{1B}[2J\u{1B}[H\(bait)",
        "👩‍👩‍👧🇩🇪#\u{FE0F}\u{20E3}" + String(repeating: "👍🏽", count: 20),
        String(repeating: "\u{1100}\u{1161}\u{11A8}", count: 30), String(repeating: " \(bait)", count: 20),
    ]

    private static func description(_ text: String) -> DataflowDescription {
        QuestionTests.phoneCheck.with {
            $0.app = text
            $0.title = text
            $0.publisher = text
            $0.plugin.version = text
            $0.learns = [text, text]
            $0.allowance = text
            $0.opens = text
            $0.internet = text
            $0.warnings = [text]
            $0.alarms = [text]
            $0.rules = [text]
            $0.purpose.text = text
        }
    }

    /// What the host begins a row with: its own words, or a space.
    private static func isHosts(_ row: String) -> Bool {
        if TerminalText.isSpoken, labels.contains(where: { row.hasPrefix($0) }) { return true }
        return row.isEmpty || row.hasPrefix(" ") || row.hasPrefix("The app ") || row == "The app"
    }

    /// What stands before a row's text where it is heard, and the beginnings of these where a line is too short.
    private static let labels = [
        "DANGER:", "Known by:", "It learns:", "At most:", "It never sees:", "Opens:", "Internet:",
        "Your rules:",
        "Warning:", "NEW:", "The app says:", "Type o for",
    ]

    @Test(arguments: [false, true]) func noTextBeginsALineAtAnyWidth(isHeard: Bool) throws {
        try TerminalText.$isSpoken.withValue(isHeard) { try drawAll() }
    }

    private func drawAll() throws {
        guard let python = Self.python else { return print("SKIP: python3 has no pyte") }
        var screens: [(width: Int, text: String)] = []
        for width in 20...300 {
            // Each text meets each width's last columns in one of the widths, and a filling puts it at each distance.
            let text =
                Self.hostile[width % Self.hostile.count] + String(repeating: "y", count: width * 7 % 41) + " "
                + Self.hostile[width * 3 % Self.hostile.count] + " " + Self.bait
            let lines = Self.description(text).question(.wider, why: text, width: width)
            screens.append((width, lines.map { $0 + "\r\n" }.joined() + "allow? "))
        }
        for (screen, rows) in zip(screens, try Self.draw(screens, python)) {
            #expect(rows.last == "allow?", "\(screen.width)")
            for row in rows.dropLast() where !Self.isHosts(row) {
                Issue.record("\(screen.width) columns: \(row.debugDescription)")
            }
        }
    }

    /// What a card or a mail says is as hostile as a publisher: the menu of less shows values of them.
    @Test(arguments: [false, true]) func noValueBeginsALineOfTheMenu(isHeard: Bool) throws {
        guard let python = Self.python else { return print("SKIP: python3 has no pyte") }
        try TerminalText.$isSpoken.withValue(isHeard) {
            var screens: [(width: Int, text: String)] = []
            for width in 20...300 {
                let text = Self.hostile[width % Self.hostile.count] + Self.bait
                let question = ConsentQuestion(
                    QuestionTests.phoneCheck,
                    examples: { limit throws(Diagnostic) in
                        ["contactID", "phoneNumber"].map {
                            ColumnExample(
                                table: "ContactPhoneNumbers", name: $0, kind: .text,
                                plain: text, value: limit.isEmpty ? text : String(text.prefix(3)))
                        }
                    })
                let lines = LessMenu(question, rows: ["ContactPhoneNumbers": RowCount(3)]).lines(width)
                screens.append((width, lines.map { $0 + "\r\n" }.joined() + "less? "))
            }
            for (screen, rows) in zip(screens, try Self.draw(screens, python)) {
                #expect(rows.last == "less?", "\(screen.width)")
                for row in rows.dropLast() where !Self.isOfTheMenu(row) {
                    Issue.record("\(screen.width) columns: \(row.debugDescription)")
                }
            }
        }
    }

    private static func isOfTheMenu(_ row: String) -> Bool {
        let heard =
            ["rows:", "1:", "2:"]
            + ["c", "r", "f", "s", "h", "u", "y", "n", "b"].map { $0 + ", " }
        if TerminalText.isSpoken, heard.contains(where: { row.hasPrefix($0) }) { return true }
        return row.isEmpty || row.hasPrefix(" ") || row.hasPrefix("this is what")
    }

    /// The same texts in lines that are broken where the terminal breaks them: the attack that the layout is for.
    @Test func withoutTheLayoutTheAttackSucceeds() throws {
        guard let python = Self.python else { return print("SKIP: python3 has no pyte") }
        let sheet = "  purpose        \"" + String(repeating: "x", count: 62) + Self.bait + "\"\r\nallow? "
        let rows = try Self.draw([(80, sheet)], python)[0]
        #expect(rows.contains { $0.hasPrefix(Self.bait) })
    }
}
