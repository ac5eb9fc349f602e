import Foundation
import Testing

/// What somebody types who does not know the names yet, and what they are told.
@Suite struct SuggestionTests {
    private let escrow: Escrow

    init() throws {
        escrow = try Escrow.withContacts()
    }

    @Test(arguments: [
        (
            ["access", "SELECT name FROM Contacts"],
            "note: there are Contacts.givenName, Contacts.familyName\n"
        ),
        (["access", "SELECT email FROM Contacts"], "note: there is Contacts.emailAddress\n"),
        (["access", "SELECT givenName FROM Contcts"], "note: there is Contacts\n"),
        (["schema", "Contact"], "help: did you mean: escrow schema Contacts\n"),
        (["source", "add", "contact", "samples"], "help: did you mean contacts? "),
        (["key", "remove", "wrok", "--yes"], "help: make it: escrow key new wrok\n"),
        (
            ["key", "show"],
            "error[E1012]: there is no signing key called default\nhelp: make it: escrow key new\n"
        ),
        (["undo"], "error[E0706]: there is no decision to take back"),
    ])
    func whatWasMeantIsSaid(words: [String], told: String) throws {
        let outcome = try Escrow.start(words, home: escrow.home)
        #expect(outcome.status != 0 && outcome.words.contains(told), "\(outcome.words)")
    }

    @Test func thePluginThatWasMeantIsNamed() throws {
        let package = Escrow.packages.path + "/age-of-contacts.escrow"
        #expect(try escrow.run("plugin", "install", package, "--yes").status == 0)
        let outcome = try escrow.run("run", "age-of-contcts")
        #expect(
            outcome.status == 12 && outcome.words.contains("note: there is age-of-contacts\n"),
            "\(outcome.words)")
    }

    @Test func aPackageThatNobodyCouldSignSaysHow() throws {
        let outcome = try escrow.run("plugin", "pack", "Plugins/age-of-contacts", "--key", "default")
        #expect(
            outcome.status == 64 && outcome.words.contains("help: make it: escrow key new\n"),
            "\(outcome.words)")
    }

    /// A sentence that promises more than the schema holds shows as one.
    @Test func whatTheSchemaLetsThroughStandsBesideEachSentence() throws {
        let outcome = try escrow.run("plugin", "check", "Plugins/phone-check")
        #expect(
            outcome.output.contains(
                """
                learns  "WHICH contacts have none"
                schema  invalidContacts, a list of at most 200,000, each text of at most 255 characters
                at most 16 MiB of text
                """), "\(outcome.everything)")
        #expect(
            outcome.output.contains("  returns a record of up to 16 MiB of text: "), "\(outcome.everything)")
    }

    /// What was typed wrongly is told in lines that the host breaks.
    @Test func howToTypeItFitsTheTerminal() throws {
        let terminal = try TypedTerminal(["access", "--fromat", "csv"], home: escrow.home, columns: 60)
        #expect(try terminal.end().status == 64)
        let lines = terminal.shown.split(separator: "\n")
        #expect(
            lines.contains { $0.contains("--format") } && lines.allSatisfy { $0.count <= 60 },
            "\(terminal.shown)")
    }

    /// Letters that are wide on some terminals move no column where there is room.
    @Test func columnsStandBelowEachOther() throws {
        let terminal = try TypedTerminal(
            [
                "access",
                "SELECT familyName, phoneNumber FROM Contacts ORDER BY length(familyName), familyName LIMIT 12",
            ],
            home: escrow.home, columns: 80, showsOutput: true)
        #expect(try terminal.end().status == 0)
        let lines = terminal.shown.split(separator: "\n").map(Array.init)
        let start = try #require(lines.first?.count)  // " familyName  phoneNumber"
        let column = start - "phoneNumber".count
        #expect(lines.count == 13 && lines.contains { !$0.allSatisfy(\.isASCII) })
        #expect(
            lines.allSatisfy { $0.count <= column || $0[column - 1] == " " && $0[column] != " " },
            "\(terminal.shown)")
    }

    @Test func whatIsFoundIsShownBeforeItIsAsked() throws {
        let user = escrow.folder.appending(path: "user")
        let cards = user.appending(path: ".contacts")
        try FileManager.default.createDirectory(at: cards, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: Escrow.root.appending(path: "samples/contacts.vcf"), to: cards.appending(path: "all.vcf"))
        try FileManager.default.copyItem(
            at: Escrow.root.appending(path: "samples/photos"), to: user.appending(path: "Pictures"))
        let fresh = escrow.folder.appending(path: "fresh")
        func setup() throws -> TypedTerminal {
            try TypedTerminal(
                ["setup"], home: fresh, columns: 300,
                with: ["HOME": user.path, "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": ""])
        }
        let question = "add the contacts of vCard files? [y]es [n]o [a]ll [q]uit: "
        let found = [
            "  contacts of vCard files, about 41: \(cards.path)\n",
            "  photos of your folder Pictures, about 12: ",
        ]
        var one = try setup()
        try one.expect(question)
        // Rows are counted for a third of a second, in which a starved machine may come to none: then it is looked at again.
        for _ in 0..<20 where !found.allSatisfy({ one.shown.contains($0) }) {
            one.type("q")
            #expect(try one.end().status == 0)
            one = try setup()
            try one.expect(question)
        }
        for line in found { #expect(one.shown.contains(line), "\(one.shown)") }
        one.type("perhaps")
        try one.expect("please type y, n, a or q\nadd the contacts of vCard files? ")
        one.type("n")
        try one.expect("add the photos of your folder Pictures? [y]es [n]o [a]ll [q]uit: ")
        one.type("q")
        #expect(try one.end().status == 0 && one.shown.contains("0 of 2 added"))
        let all = try setup()
        try all.expect("[q]uit: ")
        all.type("all")
        #expect(try all.end().status == 0 && all.shown.contains("2 of 2 added"), "\(all.shown)")
    }
}
