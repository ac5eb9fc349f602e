import Foundation
import Testing

@Suite struct SQLTests {
    private let escrow: Escrow

    init() throws {
        escrow = try Escrow(trusting: false)
        #expect(try escrow.run("source", "add", "contacts", "samples/contacts.vcf").status == 0)
    }

    @Test func queriesAreReadFromAFile() throws {
        let outcome = try escrow.run(
            "sql", "--format", "csv",
            input: """
                SELECT count(*) AS n
                FROM Contacts;

                .mode ndjson
                SELECT 'a;b' AS t;
                SELECT 2 AS last
                """)
        #expect(
            outcome.status == 0 && outcome.output == "n\n41\n{\"t\":\"a;b\"}\n{\"last\":2}\n",
            "\(outcome.everything)")
    }

    @Test(
        arguments: [
            ("SELEC 1;\nSELECT 2 AS n;\n", 13, "E04"), (".tabels\n", 64, "did you mean: .tables"),
            (".mode xml\n", 64, ".mode table, json, ndjson, csv, line"),
            (".schema Nothing\n", 64, "there is no table of that name"),
            ("SELECT 1; SELECT 2;\n", 13, "E04"),
        ] as [(String, Int32, String)])
    func theFirstThatFailsEndsIt(input: String, status: Int32, words: String) throws {
        let outcome = try escrow.run("sql", input: input)
        #expect(outcome.status == status && outcome.output.isEmpty, "\(outcome.everything)")
        #expect(outcome.words.contains(words), "\(outcome.words)")
    }

    @Test func commandsSayWhatThereIs() throws {
        let outcome = try escrow.run(
            "sql", input: ".help\n.tables\n.schema Contacts\n.plan SELECT id FROM Contacts\n.quit\nSELEC\n")
        #expect(outcome.status == 0, "\(outcome.words)")
        for part in [".schema", "ContactPhoneNumbers", "familyName", "estimated"] {
            #expect(outcome.output.contains(part), "\(part)")
        }
    }

    /// On a terminal of its own: a tab completes, an error does not end it, and what was typed is kept for its owner alone.
    @Test func aTerminalCompletesAndRemembers() throws {
        var main: Int32 = -1
        var side: Int32 = -1
        var size = winsize(ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&main, &side, nil, nil, &size) == 0)
        defer { close(main) }
        let process = Process()
        process.executableURL = Escrow.program
        process.arguments = ["sql"]
        process.environment = ProcessInfo.processInfo.environment.merging([
            "ESCROW_HOME": escrow.home.path, "TERM": "xterm",
        ]) { $1 }
        let terminal = FileHandle(fileDescriptor: side, closeOnDealloc: false)
        process.standardInput = terminal
        process.standardOutput = terminal
        process.standardError = terminal
        try process.run()
        close(side)
        var shown = ""
        func expect(_ text: String) throws {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while !shown.contains(text) {
                let count = read(main, &buffer, buffer.count)
                try #require(count > 0, "\(text) never came: \(shown)")
                shown += String(decoding: buffer.prefix(count), as: UTF8.self)
            }
            // What comes behind it is looked for next.
            shown = String(shown[shown.range(of: text)!.upperBound...])
        }
        func type(_ text: String) { _ = write(main, text, text.utf8.count) }
        try expect("escrow> ")
        type("SELECT nonsense FROM ContactPh\t;\r")
        try expect("E0407")
        // The note names the table that the tab made of the letters.
        try expect("ContactPhoneNumbers has")
        try expect("escrow> ")
        // Behind FROM no column is meant: the tab makes nothing of these letters.
        type("SELECT 1 FROM contactT\t;\r")
        try expect("E0406")
        try expect("escrow> ")
        type("SELECT 41 AS\r")
        try expect("...> ")
        type("n;\r")
        try expect("41")
        try expect("escrow> ")
        type(".quit\r")
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let file = escrow.home.appending(path: "sql.history")
        let kept = try String(contentsOf: file, encoding: .utf8)
        #expect(kept.contains("ContactPhoneNumbers") && kept.contains(".quit"))
        #expect(kept.contains("contactT;"))
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }
}
