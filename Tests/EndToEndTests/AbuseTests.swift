import EscrowClient
import EscrowJSON
import Foundation
import Testing

/// What an app might try with a plugin that it is allowed to run.
@Suite struct AbuseTests {
    @Test func aUnionDoesNotTurnAUsedColumnIntoAReturnedOne() throws {
        let escrow = try Escrow.withPhoneCheck(for: "org.example.test")
        let grants = try #require(
            try escrow.run("grant", "list", "--format", "json").json()["grants"] as? [[String: Any]])
        #expect(try escrow.run("grant", "revoke", try #require(grants.first?["id"] as? String)).status == 0)
        #expect(
            try escrow.run(
                "grant", "allow", "--app", "org.example.test", "--plugin", "phone-check", "--reads",
                "ContactPhoneNumbers.contactID", "--uses", "ContactPhoneNumbers.phoneNumber"
            ).status == 0)
        let outcome = try escrow.run(
            "run", "phone-check", "--app", "org.example.test", "--sql",
            """
            SELECT contactID AS contact, contactID AS phoneNumber FROM ContactPhoneNumbers WHERE 0
            UNION ALL SELECT phoneNumber, contactID FROM ContactPhoneNumbers
            """)
        #expect(outcome.status == 13, "\(outcome.words)")
        #expect(outcome.output.isEmpty)
    }

    @Test(arguments: [
        "SELECT phoneNumber AS contact, contactID AS phoneNumber FROM ContactPhoneNumbers",
        "SELECT phoneNumber || '' AS contact, phoneNumber FROM ContactPhoneNumbers",
        "SELECT contact, phoneNumber FROM (SELECT phoneNumber AS contact, phoneNumber FROM ContactPhoneNumbers)",
    ])
    func aColumnCannotTakeThePlaceOfAnother(sql: String) throws {
        let escrow = try Escrow.withPhoneCheck(for: "org.example.test")
        let outcome = try escrow.run("run", "phone-check", "--app", "org.example.test", "--sql", sql)
        #expect(outcome.status == 13, "\(outcome.words)")
        #expect(outcome.output.isEmpty)
    }

    @Test func aMinimumOfRowsIsNotMetByRowsMadeOutOfOne() throws {
        let escrow = try Escrow.withContacts()
        try escrow.allow("age-of-contacts")
        let outcome = try escrow.run(
            "run", "age-of-contacts", "--app", "org.example.test", "--sql",
            """
            SELECT a.birthday AS birthday, 2026 AS year FROM (SELECT birthday FROM Contacts LIMIT 1) a,
            (SELECT birthday FROM Contacts LIMIT 5) b
            """)
        #expect(outcome.status == 13, "\(outcome.words)")
    }

    /// Spelled out, the plugin's own query still runs over the parameters that the manifest bounds and the grant is for.
    @Test func thePluginsOwnQueryTakesItsParametersAlone() async throws {
        struct Ages: Decodable, Equatable, Sendable { let mean: Double }
        let escrow = try Escrow.withContacts()
        try escrow.allow("age-of-contacts")
        let app = try await EscrowClient.Escrow.connect(
            app: "org.example.test", home: escrow.home.path, program: Escrow.program.path)
        let own = "SELECT birthday, :year AS year FROM Contacts WHERE birthday IS NOT NULL"
        let plain: Ages = try await app.run(compute: "age-of-contacts", arguments: ["year": 2026])
        let bound: Ages = try await app.run(
            own, compute: "age-of-contacts", bindings: ["year": 2030], arguments: ["year": 2026])
        #expect(bound == plain)
        await app.close()
    }

    @Test func failuresAfterDataWasReadLookAllTheSameToAnApp() async throws {
        let escrow = try Escrow.withPhoneCheck(for: "org.example.test")
        let app = try await EscrowClient.Escrow.connect(
            app: "org.example.test", home: escrow.home.path, program: Escrow.program.path)
        // Fails for the row that it finds, if there is one: an error of its own would be an answer.
        let sql =
            "SELECT contactID AS contact, phoneNumber FROM ContactPhoneNumbers WHERE "
            + "abs(CASE WHEN phoneNumber IS NOT NULL THEN -9223372036854775807 - 1 ELSE 1 END) = 1"
        do {
            let _: ClientTests.PhoneReport = try await app.run(sql, compute: "phone-check")
            Issue.record("a failing query returned a result")
        } catch let error as EscrowError {
            #expect(error.code == "E0543")
            #expect(error.status == 16)
            #expect(error.message == "the plugin gave no result")
        }
        await app.close()
    }

    @Test func aCancelRightBehindItsRunIsNotLost() throws {
        let escrow = try Escrow.withPhoneCheck(for: "org.example.test")
        let lines = """
            {"id":1,"run":{"app":"org.example.test","compute":"phone-check"}}
            {"id":2,"cancel":1}

            """
        let output = try escrow.run("host", "--stdio", input: lines).output
        #expect(output.contains("\"E1005\""), "\(output)")
    }

    @Test func repeatedRequestsDoNotFillTheLedgerAndAreCounted() throws {
        let escrow = try Escrow.withContacts()
        let package = Escrow.packages.appending(path: "phone-check.escrow").path
        #expect(try escrow.run("plugin", "install", package, "--yes").status == 0)
        let lines = (1...60).map {
            #"{"id":\#($0),"run":{"app":"org.example.flood","compute":"phone-check"}}"# + "\n"
        }
        let answers = try escrow.run("host", "--stdio", input: lines.joined()).output
        // The app hangs up at once, so some are told that they were withdrawn.
        #expect(answers.split(separator: "\n").count { $0.contains("\"error\"") } == 60)
        let entries = try #require(
            try escrow.run("ledger", "list", "--last", "1000", "--format", "json").json()["entries"]
                as? [[String: Any]])
        let decisions = entries.filter { $0["kind"] as? String == "decision" }
            .compactMap { $0["fields"] as? [String: Any] }
        // Several are answered at a time, so the tenth may be recorded before the first.
        #expect(decisions.map { $0["times"] as? Int ?? 1 }.sorted() == [1, 10, 60])
        #expect(decisions.allSatisfy { $0["app"] as? String == "org.example.flood" })
        #expect(decisions.allSatisfy { $0["answer"] as? String == "nobody to ask" })
    }

    @Test func whatIsRevokedDoesNotRun() throws {
        let escrow = try Escrow.withPhoneCheck(for: "org.example.test")
        #expect(try escrow.run("run", "phone-check", "--app", "org.example.test").status == 0)
        #expect(
            try escrow.run("trust", "revoke", "--plugin", "org.example.phone-check", "--below", "9.0.0")
                .status == 0)
        let outcome = try escrow.run("run", "phone-check", "--app", "org.example.test")
        #expect(outcome.status == 12)
        #expect(outcome.words.contains("revoked"), "\(outcome.words)")
        #expect(try escrow.run("trust", "revoke", "--key", "abc").status == 64)
    }

    @Test func sourcesAddedAtTheSameTimeAreAllKept() async throws {
        let escrow = try Escrow(trusting: false)
        let paths = try (0..<8).map { try escrow.write("c\($0).vcf", RogueTests.card) }
        await withTaskGroup(of: Void.self) { group in
            for path in paths {
                group.addTask { _ = try? escrow.run("source", "add", "contacts", path) }
            }
        }
        let sources = try escrow.run("source", "list", "--format", "json").json()["sources"] as? [Any]
        #expect(sources?.count == 8)
    }

    @Test func namesInDataDoNotRepaintTheTerminal() throws {
        let escrow = try Escrow(trusting: false)
        let card = RogueTests.card.replacing(
            "FN:Canaria Quill", with: "FN:A\\nSPOOF\u{1B}[31m\u{9B}2J\u{202E}")
        #expect(try escrow.run("source", "add", "contacts", try escrow.write("c.vcf", card)).status == 0)
        for format in ["table", "json"] {
            let outcome = try escrow.run(
                "access", "SELECT fullName FROM Contacts", "--rows", "--format", format)
            #expect(outcome.output.contains("SPOOF"))
            for mark in ["\u{1B}", "\u{9B}", "\u{202E}"] {
                #expect(!outcome.output.contains(mark), "\(format)")
            }
            #expect(!outcome.output.contains("\nSPOOF"))
        }
    }

    @Test func aHomeMayBeNamedWithASlashAtItsEnd() throws {
        let escrow = try Escrow(trusting: false)
        let path = escrow.folder.appending(path: "other").path + "/"
        #expect(try escrow.run("init", "--home", path).status == 0)
        #expect(try escrow.run("ledger", "verify", "--home", path).status == 0)
        #expect(try escrow.run("init", "--home", "").status == 1)
    }
}
