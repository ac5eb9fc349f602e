import Foundation
import Testing

/// docs/questions.md is what terminals of three widths really show; README.md has one of them.
@Suite struct QuestionPageTests {
    private static let page = Escrow.root.appending(path: "docs/questions.md")

    /// What a terminal of so many columns shows when an app asks for a plugin, up to the answer.
    private static func question(_ plugin: String, columns: UInt16, _ escrow: Escrow) throws -> String {
        let terminal = try TypedTerminal(
            ["run", plugin, "--app", "org.example.notes"], home: escrow.home, columns: columns)
        try terminal.expect("allow? ")
        let shown = terminal.shown
        terminal.type("what")
        terminal.type("is")
        terminal.type("this")
        #expect(try terminal.end().status == 11)
        let end = try #require(shown.range(of: "allow? "))
        return String(shown[..<end.upperBound]).trimmingCharacters(in: .whitespaces)
    }

    /// Set `ESCROW_WRITE_VECTORS=1` to write the page anew.
    @Test func thePageShowsRealQuestions() throws {
        let escrow = try Escrow()
        for (kind, path) in [("contacts", "contacts.vcf"), ("photos", "photos"), ("location", "tracks")] {
            let path = Escrow.root.appending(path: "samples/\(path)").path
            #expect(try escrow.run("source", "add", kind, path).status == 0)
        }
        var text = """
            # The question at 60, 80 and 120 columns

            Five dataflows, from the lightest to the heaviest, as a terminal shows them. A test compares each of them with what
            escrow shows; on a terminal with colours the lines of `DANGER` are red.

            None of it can be forged: no word of an app's or a publisher's begins a line. `EmulatorTests` draws hostile texts at every width
            from 20 to 300 in a terminal emulator. The sheet that there was at first, laid out for 96 columns whatever the terminal was, failed
            that: a purpose of 64 letters and then `allow? [y/n] y` put just that at the beginning of a line of a terminal of 80 columns
            (tried with its own code, drawn by the same emulator):

            ```text
              purpose      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
            allow? [y/n] y"
            ```

            """
        for plugin in ["age-of-contacts", "phone-check", "thumbnails", "weather", "data-copy"] {
            try escrow.install(plugin)
            text += "\n## \(plugin)\n"
            for columns in [60, 80, 120] as [UInt16] {
                text += "\n```text\n\(try Self.question(plugin, columns: columns, escrow))\n```\n"
            }
        }
        if ProcessInfo.processInfo.environment["ESCROW_WRITE_VECTORS"] != nil {
            try Data(text.utf8).write(to: Self.page)
        }
        #expect(try String(contentsOf: Self.page, encoding: .utf8) == text, "docs/questions.md is stale")
        let readme = try String(contentsOf: Escrow.root.appending(path: "README.md"), encoding: .utf8)
        let phones = try Self.question("phone-check", columns: 80, escrow)
        #expect(readme.contains(phones), "README.md shows another question than\n\(phones)")
    }
}
