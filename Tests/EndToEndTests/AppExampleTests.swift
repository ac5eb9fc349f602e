import EscrowClient
import Foundation
import Testing

/// The app of README.md, word for word: built as it stands there, and run as it is told there.
@Suite struct AppExampleTests {
    private static let app = Escrow.program.deletingLastPathComponent().appending(path: "NotesApp")

    /// Runs it with `escrow` in `PATH`, as README.md wants it.
    private func run(_ escrow: Escrow) throws -> Escrow.Outcome {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
        return try Escrow.start(
            [], home: escrow.home, program: Self.app,
            with: ["PATH": "\(Escrow.program.deletingLastPathComponent().path):\(path)"])
    }

    @Test func whatTheReadmeShowsIsWhatIsBuilt() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: Escrow.root.appending(path: path), encoding: .utf8)
        }
        let readme = try text("README.md")
        #expect(readme.contains("```swift\n\(try text("Tests/Support/NotesApp/main.swift"))```\n"))
        // The product that it names is there.
        #expect(readme.contains(#".product(name: "EscrowClient", package: "escrow")"#))
        #expect(
            try text("Package.swift").contains(#".library(name: "EscrowClient", targets: ["EscrowClient"])"#))
    }

    @Test func itSaysWhatToDecideAndThenHasItsResult() throws {
        let escrow = try Escrow.withContacts()
        #expect(
            try escrow.run("plugin", "install", Escrow.packages.path + "/phone-check.escrow", "--yes").status
                == 0)
        let undecided = try run(escrow)
        let command = "escrow run phone-check --app org.example.notes"
        #expect(
            undecided.output == "nobody decided yet: look at escrow pending, or the page\n",
            "\(undecided.everything)")
        let terminal = try TypedTerminal(
            command.split(separator: " ").dropFirst().map(String.init), home: escrow.home, columns: 80)
        try terminal.expect("allow?")
        terminal.type("always")
        #expect(try terminal.end().status == 0, "\(terminal.shown)")
        let told = try run(escrow)
        #expect(told.status == 0 && told.words == "", "\(told.everything)")
        let shown = try escrow.run("run", "phone-check", "--app", "org.example.notes", "--format", "json")
        let result = try shown.json()
        let valid = try #require(result["valid"] as? Int)
        let invalid = try #require(result["invalid"] as? Int)
        #expect(valid > 0 && told.output == "PhoneReport(valid: \(valid), invalid: \(invalid))\n")
    }

    /// The app is told one sentence; what went wrong is told where the individual looks.
    @Test func theAppGetsItsSentenceAndTheIndividualTheRest() async throws {
        let escrow = try Escrow.withPhoneCheck(for: "org.example.notes")
        let app = try await EscrowClient.Escrow.connect(
            app: "org.example.notes", home: escrow.home.path, program: Escrow.program.path)
        for sql in [
            "SELECT contactID AS contact, phoneNumbr AS phoneNumber FROM ContactPhoneNumbers",
            "DELETE FROM Contacts",
            "SELECT contactID AS contact, phoneNumbr AS phoneNumber FROM ContactPhoneNumbers",
        ] {
            let error = await #expect(throws: EscrowError.self) {
                let _: [String: Int] = try await app.run(sql, compute: "phone-check")
            }
            #expect(error?.message == "the access was refused")
        }
        await app.close()
        let kept = try escrow.run("app", "failures").output
        #expect(kept.contains("E0407  org.example.notes with phone-check, 2 times\n"), "\(kept)")
        #expect(kept.contains("  there is ContactPhoneNumbers.phoneNumber\n"), "\(kept)")
        #expect(kept.contains("  the statement is DELETE, not SELECT\n"), "\(kept)")
        #expect(try escrow.run("app", "failures", "org.example.other").words == "no run of an app failed\n")
        let shown = try escrow.run("app", "failures", "org.example.notes", "--format", "json").json()
        #expect((shown["failures"] as? [[String: Any]])?.count == 2)
    }
}
