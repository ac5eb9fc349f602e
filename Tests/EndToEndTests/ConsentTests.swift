import Foundation
import Testing

/// Off a terminal no answer is never a yes; a decision made beforehand holds, and can be taken back.
@Suite struct ConsentTests {
    @Test func undecidedIsStatus11AndSaysHowToDecide() throws {
        let escrow = try Escrow.withContacts()
        #expect(
            try escrow.run(
                "plugin", "install", Escrow.packages.appending(path: "phone-check.escrow").path, "--yes"
            )
            .status == 0)
        let run = { try escrow.run("run", "phone-check", "--app", "org.example.notes") }
        let undecided = try run()
        #expect(undecided.status == 11)
        #expect(undecided.output.isEmpty)
        #expect(
            undecided.words.contains(
                "escrow grant allow --app org.example.notes --plugin org.example.phone-check"))

        #expect(
            try escrow.run(
                "grant", "allow", "--app", "org.example.notes", "--plugin", "org.example.phone-check"
            )
            .status == 0)
        #expect(try run().status == 0)
        // Another app has its own decision.
        #expect(try escrow.run("run", "phone-check", "--app", "org.example.other").status == 11)

        let grants = try #require(
            try escrow.run("grant", "list", "--format", "json").json()["grants"] as? [[String: Any]])
        let id = try #require(grants.first?["id"] as? String)
        #expect(try escrow.run("grant", "revoke", id).status == 0)
        #expect(try run().status == 11)
        #expect(
            try escrow.run(
                "grant", "deny", "--app", "org.example.notes", "--plugin", "org.example.phone-check"
            )
            .status == 0)
        #expect(try run().status == 10)
    }

    @Test func aDryRunExplainsAndStartsNothing() throws {
        let escrow = try Escrow.withPhoneCheck(for: "org.example.test")
        let outcome = try escrow.run("run", "phone-check", "--app", "org.example.test", "--dry-run")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("ContactPhoneNumbers"))
        #expect(try !escrow.run("ledger", "list").output.contains("run-intent"))
    }
}
