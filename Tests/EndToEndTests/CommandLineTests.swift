import Foundation
import Testing

/// What is typed day by day: rows in each format, slips of the hand, answers, keys and rules.
@Suite struct CommandLineTests {
    private let escrow: Escrow

    init() throws {
        escrow = try Escrow.withContacts()
    }

    private static let query = """
        SELECT id LIKE '%' AS n, 'a,"b"' AS t, NULL AS x, imageDataAvailable AS b FROM Contacts LIMIT 2
        """

    @Test(arguments: [
        ("table", "n  t      x  b\n1  a,\"b\"     false\n1  a,\"b\"     true\n"),
        (
            "json",
            #"[{"n":1,"t":"a,\"b\"","x":null,"b":false},"# + "\n"
                + #"{"n":1,"t":"a,\"b\"","x":null,"b":true}]"# + "\n"
        ),
        (
            "ndjson",
            #"{"n":1,"t":"a,\"b\"","x":null,"b":false}"# + "\n" + #"{"n":1,"t":"a,\"b\"","x":null,"b":true}"#
                + "\n"
        ),
        ("csv", "n,t,x,b\n1,\"a,\"\"b\"\"\",,false\n1,\"a,\"\"b\"\"\",,true\n"),
        ("line", "n  1\nt  a,\"b\"\nx  \nb  false\n\nn  1\nt  a,\"b\"\nx  \nb  true\n"),
    ])
    func rowsArePrintedAsAskedFor(format: String, text: String) throws {
        let outcome = try escrow.run("access", Self.query, "--format", format)
        #expect(outcome.status == 0 && outcome.output == text, "\(outcome.everything)")
    }

    @Test(arguments: [("table", "id\n"), ("json", "[]\n"), ("ndjson", ""), ("csv", "id\n"), ("line", "")])
    func noRowsAreNoFault(format: String, text: String) throws {
        let outcome = try escrow.run("access", "SELECT id FROM Contacts WHERE 0", "--format", format)
        #expect(outcome.status == 0 && outcome.output == text, "\(outcome.everything)")
    }

    @Test func aPlanReadsNothing() throws {
        let plan = try escrow.run("access", "SELECT id FROM Contacts", "--plan")
        #expect(plan.status == 0 && plan.output.contains("estimated") && !plan.output.contains("read "))
        #expect(try escrow.run("access", "SELECT 1", "--format", "xml").status == 64)
    }

    @Test func aReaderThatHasSeenEnoughIsNoFault() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        let sql = "SELECT a.id FROM Contacts a, Contacts b, Contacts c"
        process.arguments = [
            "-c", "\"$0\" access \"$1\" | head -n 1; echo ${PIPESTATUS[0]}", Escrow.program.path, sql,
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(["ESCROW_HOME": escrow.home.path]) {
            $1
        }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        // 128 and SIGPIPE, as of any program.
        #expect(String(decoding: data, as: UTF8.self) == "id\n141\n")
    }

    @Test(arguments: [
        (["acess", "SELECT 1"], "did you mean: escrow access"),
        (["plugin", "isntall"], "did you mean: escrow plugin install"),
        (["grant", "lst"], "did you mean: escrow grant list"), (["zzzzzz"], "see them all: escrow --help"),
    ])
    func aSlipIsTakenForWhatWasMeant(words: [String], help: String) throws {
        let outcome = try Escrow.start(words, home: escrow.home)
        #expect(outcome.status == 64 && outcome.words.contains("help: \(help)\n"), "\(outcome.words)")
    }

    @Test(arguments: [
        (
            "SELECT name FROM Contacts",
            "Contacts.familyName"
        ),
        ("SELECT familyNam FROM Contacts", "there is Contacts.familyName"),
        ("SELECT id FROM Contacts WHERE familyName = \"Mustermann\"", "a text stands in single quotes"),
    ])
    func whatWasMeantIsNamed(sql: String, words: String) throws {
        let outcome = try escrow.run("access", sql)
        #expect(outcome.status == 13 && outcome.words.contains(words), "\(outcome.words)")
        #expect(!outcome.words.contains("Mustermann"))
    }

    @Test func whatNobodyCouldBeAskedAboutIsAnsweredLater() throws {
        try escrow.install("phone-check")
        let run = { try escrow.run("run", "phone-check", "--app", "org.example.notes") }
        #expect(try run().status == 11)
        #expect(try run().status == 11)
        let pending = try #require(
            try escrow.run("pending", "--format", "json").json()["pending"] as? [[String: Any]])
        #expect(pending.count == 1)
        #expect(
            pending[0]["reads"] as? [String] == [
                "ContactPhoneNumbers.contactID", "ContactPhoneNumbers.phoneNumber",
            ])
        let id = try #require(pending[0]["id"] as? String)
        #expect(try escrow.run("pending").output.contains(id))
        for (answer, status) in [("perhaps", 64), ("preview", 64)] as [(String, Int32)] {
            #expect(try escrow.run("answer", id, answer).status == status, "\(answer)")
        }
        #expect(try escrow.run("answer", "q-none", "once").status == 64)
        // Off a terminal nobody can be asked here either.
        #expect(try escrow.run("answer", id).status == 11)
        let answered = try escrow.run("answer", id, "always")
        #expect(
            answered.status == 0
                && answered.words.contains("allowed, until you take it back: escrow grant revoke g-"))
        let allowed = try run()
        // One line: which decision, since when, how to take it back.
        let line =
            /allowed by (g-[0-9a-f]{12}) since \d{4}-\d\d-\d\d, always; take it back: escrow grant revoke (g-[0-9a-f]{12})\n/
        let told = try #require(allowed.words.wholeMatch(of: line), "\(allowed.words)")
        #expect(allowed.status == 0 && told.1 == told.2)
        #expect(try escrow.run("pending").words == "nothing waits for an answer of yours\n")
        let undone = try escrow.run("undo")
        #expect(
            undone.status == 0
                && undone.words.hasPrefix("taken back: yes to org.example.phone-check for org.example.notes"))
        // What was taken back is no decision that could be taken back.
        #expect(try escrow.run("undo").status == 64)
        #expect(try run().status == 11)
        let next = try #require(
            (try escrow.run("pending", "--format", "json").json()["pending"] as? [[String: Any]])?.first?[
                "id"] as? String)
        #expect(try escrow.run("answer", next, "once").status == 0)
        // The question is gone from the screen: what it would warn of is told by the run that the answer allows.
        try escrow.configure(#"{"loweredWalls": ["hostname-namespace"]}"#)
        let once = try run()
        #expect(once.status == 0)
        #expect(once.words.contains("warning  this run goes without the wall hostname-namespace"))
        try escrow.configure("{}")
        #expect(try run().status == 11)
        let last = try #require(
            (try escrow.run("pending", "--format", "json").json()["pending"] as? [[String: Any]])?.first?[
                "id"] as? String)
        #expect(try escrow.run("answer", last, "never").status == 0)
        #expect(try run().status == 10)
        // A decision that comes in another one's place is undone with that.
        let changed = try escrow.run(
            "grant", "allow", "--app", "org.example.notes", "--plugin", "phone-check")
        #expect(changed.status == 0)
        let back = try escrow.run("undo").words.split(separator: "\n")
        #expect(back.count == 2 && back[0].hasPrefix("taken back: yes to org.example.phone-check"))
        #expect(
            back.last?.hasPrefix("stands again: no to org.example.phone-check for org.example.notes") == true)
        #expect(try run().status == 10)
    }

    @Test func anAnswerIsAskedForOnATerminal() throws {
        try escrow.install("phone-check")
        #expect(try escrow.run("run", "phone-check", "--app", "org.example.notes").status == 11)
        let id = try #require(
            (try escrow.run("pending", "--format", "json").json()["pending"] as? [[String: Any]])?.first?[
                "id"] as? String)
        let terminal = try TypedTerminal(["answer", id], home: escrow.home)
        try terminal.expect("[l]ess   [?] all details\nallow? ")
        // Nothing runs here, so there is nothing to look at first.
        #expect(!terminal.shown.contains("[p]review"))
        terminal.type("once")
        #expect(try terminal.end().status == 0)
        #expect(try escrow.run("run", "phone-check", "--app", "org.example.notes").status == 0)
        #expect(try escrow.run("run", "phone-check", "--app", "org.example.notes").status == 11)
    }

    @Test func aKeyIsShownTrustedFromAFileAndRemoved() throws {
        #expect(try escrow.run("key", "new", "work").status == 0)
        let key = try escrow.run("key", "show", "work")
        #expect(key.status == 0)
        let file = try escrow.write("work.pub", key.output)
        #expect(try escrow.run("trust", "add", "org.work.*", "--key-file", file).status == 0)
        #expect(try escrow.run("trust", "list").output.contains("org.work.*"))
        #expect(try escrow.run("trust", "add", "org.work.*").status == 64)
        #expect(try escrow.run("trust", "add", "org.work.*", key.output, "--key-file", file).status == 64)
        #expect(try escrow.run("trust", "add", "org.work.*", "--key-file", "/dev/null").status != 0)
        #expect(try escrow.run("key", "remove", "work").status == 64)
        #expect(try escrow.run("key", "remove", "work", "--yes").status == 0)
        #expect(try escrow.run("key", "list").words == "there are no signing keys yet: escrow key new\n")
        #expect(try escrow.run("key", "remove", "work", "--yes").status != 0)
    }

    @Test func rulesAreKeptOnceTheyCanBeRead() throws {
        let good = try escrow.write(
            "good.json",
            #"{ "escrow-preferences": 1, "rules": [ { "id": "no-ads", "effect": "forbid", "when": { "purpose": ["marketing"] } } ] }"#
        )
        let bad = try escrow.write("bad.json", #"{ "escrow-preferences": 1, "rules": [ { "id": "x" } ] }"#)
        func edit(_ editor: String) throws -> Escrow.Outcome {
            try Escrow.start(
                ["preferences", "edit"], home: escrow.home, with: ["EDITOR": editor, "VISUAL": editor])
        }
        let kept = try edit("cp \(good)")
        #expect(
            kept.status == 0 && kept.words.hasPrefix("kept; they hold from the next run on\n"),
            "\(kept.words)")
        #expect(try edit("cp \(bad)").words.contains("E1101"))
        #expect(try edit("false").words.contains("your rules are as they were"))
        #expect(try edit("true").words == "nothing was changed\n")
        #expect(try escrow.run("preferences", "show").output.contains("no-ads"))
    }

    @Test func theUsualPlacesAreFoundAndAdded() throws {
        let user = escrow.folder.appending(path: "user")
        let pictures = user.appending(path: "Bilder und mehr")
        try FileManager.default.createDirectory(
            at: user.appending(path: ".config"), withIntermediateDirectories: true)
        try Data("XDG_PICTURES_DIR=\"$HOME/Bilder und mehr\"\n".utf8)
            .write(to: user.appending(path: ".config/user-dirs.dirs"))
        try FileManager.default.copyItem(at: Escrow.root.appending(path: "samples/photos"), to: pictures)
        // A folder without anything of the kind is not offered.
        try FileManager.default.createDirectory(
            at: user.appending(path: "Music"), withIntermediateDirectories: true)
        let setup = { (more: [String]) in
            try Escrow.start(["setup"] + more, home: escrow.home, with: ["HOME": user.path])
        }
        let listed = try setup([])
        #expect(listed.output == "escrow source add photos '\(pictures.path)'\n", "\(listed.everything)")
        #expect(try setup(["--yes"]).words.contains("1 of 1 added"))
        #expect(try setup([]).words.hasPrefix("nothing new was found"))
        #expect(try escrow.run("source", "list").output.contains("Bilder und mehr"))
    }

    @Test func profilesAreFoundHoweverTheProgramWasInstalled() throws {
        let user = escrow.folder.appending(path: "user")
        let expected = [
            ("contacts", "data/evolution/addressbook", "system/contacts.db"),
            ("calendar", ".var/app/org.gnome.Evolution/data/evolution/calendar", "system/calendar.ics"),
            ("contacts", ".thunderbird", "a.default/abook.sqlite"),
            ("contacts", ".var/app/org.mozilla.Thunderbird/.thunderbird", "a.default/abook.sqlite"),
            ("contacts", "snap/thunderbird/common/.thunderbird", "a.default/abook.sqlite"),
            ("browser", ".mozilla/firefox/a.default", "places.sqlite"),
            ("browser", "settings/mozilla/firefox/b.default", "places.sqlite"),
            ("browser", "snap/firefox/common/.mozilla/firefox/c.default", "places.sqlite"),
            ("browser", ".var/app/org.mozilla.firefox/.mozilla/firefox/d.default", "places.sqlite"),
            ("browser", "settings/chromium/Default", "History"),
            ("browser", "settings/google-chrome/Profile1", "History"),
            ("browser", "snap/chromium/common/chromium/Default", "History"),
            ("browser", ".var/app/org.chromium.Chromium/config/chromium/Default", "History"),
            ("browser", ".var/app/com.google.Chrome/config/google-chrome/Default", "History"),
        ]
        for (_, folder, name) in expected {
            let file = user.appending(path: folder + "/" + name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            // What is in it is looked at when it is asked for.
            try (Data("SQLite format 3\0".utf8) + Data(count: 84)).write(to: file)
        }
        let listed = try Escrow.start(
            ["setup"], home: escrow.home,
            with: [
                "HOME": user.path, "XDG_CONFIG_HOME": user.path + "/settings",
                "XDG_DATA_HOME": user.path + "/data",
            ])
        let sources = expected.map { "escrow source add \($0.0) \(user.path)/\($0.1)" }
        #expect(listed.output.split(separator: "\n").map(String.init) == sources, "\(listed.everything)")
    }

    @Test func rulesAreNotEditedWhereThereIsNoTerminal() throws {
        let outcome = try Escrow.start(
            ["preferences", "edit"], home: escrow.home, with: ["EDITOR": "", "VISUAL": ""])
        #expect(outcome.status == 64)
        #expect(outcome.words.hasPrefix("error[E1015]: there is no terminal to edit your rules on\n"))
    }
}
