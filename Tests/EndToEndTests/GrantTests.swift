import EscrowClient
import Foundation
import Testing

/// What the individual decides, seen from the outside: by the app, by the plugin, on the terminal and in the ledger.
@Suite struct GrantTests {
    let echo: Echo
    var escrow: Escrow { echo.escrow }
    static let app = "org.example.notes"

    init() throws { echo = try Echo(copying: try Self.installed.get()) }

    /// The plugin that returns what it sees, of contacts.
    private static let installed = Result { () throws -> Echo in
        let echo = try Echo()
        let installed = try echo.install([
            (#""name": "latitude", "type": "real""#, #""name": "id", "type": "text""#),
            (#""name": "timestamp", "type": "timestamp""#, #""name": "familyName", "type": "text""#),
            (#""Location": ["latitude", "timestamp"]"#, #""Contacts": ["id", "familyName"]"#),
            ("SELECT latitude, timestamp FROM Location", "SELECT id, familyName FROM Contacts"),
        ])
        try #require(installed.status == 0, "\(installed.words)")
        return echo
    }

    @discardableResult
    func grant(_ verb: String, _ more: String...) throws -> Escrow.Outcome {
        let outcome = try Escrow.start(
            ["grant", verb, "--app", Self.app, "--plugin", "echo"] + more, home: escrow.home)
        try #require(outcome.status == 0, "\(outcome.words)")
        return outcome
    }

    /// State and reason as `grant status` has them, and what the app is told.
    func standing() throws -> [String] {
        let status = try grant("status", "--format", "json").json()
        return ["state", "reason", "told"].compactMap { status[$0] as? String }
    }

    @Test func aLimitLeavesOutRecordsForEveryPartOfAQuery() throws {
        try grant("allow")
        let all = try echo.see(Self.app).rows
        try #require(all.count > 5)
        guard case .text(let chosen) = all[2][0], case .text(let name) = all[3][1] else {
            Issue.record("no id")
            return
        }

        try grant("limit", "--record", "Contacts=\(chosen)")
        #expect(try standing() == ["limited", "settings", "authorized"])
        #expect(try echo.see(Self.app).rows == [all[2]])
        // Counted, joined or sorted: the others are not there.
        let counted = "SELECT CAST(count(*) AS TEXT) AS id, NULL AS familyName FROM Contacts"
        #expect(
            try echo.run(Self.app, "echo", ["--sql", counted]).status == 13,
            "a computed column has no role here")

        try grant("limit", "--where", "Contacts: familyName = '\(name)'")
        #expect(try echo.see(Self.app).rows == all.filter { $0[1] == .text(name) })
        try grant("limit", "--where", "Contacts: familyName = '\(name)'", "--record", "Contacts=\(chosen)")
        #expect(try echo.see(Self.app).rows.isEmpty)
        try grant("limit", "--without", "Contacts.familyName")
        #expect(try echo.see(Self.app).rows == all.map { [$0[0], .null] })
        try grant("limit", "--coarser", "truncate(Contacts.familyName, 1)")
        let initials = all.map { row -> Echo.Sight.Cell in
            guard case .text(let name) = row[1] else { return row[1] }
            return .text(String(name.unicodeScalars.prefix(1)))
        }
        #expect(try echo.see(Self.app).rows.map { $0[1] } == initials)
        // To allow all of it takes the limit back.
        try grant("allow")
        #expect(try echo.see(Self.app).rows == all)

        // Neither ids nor names reach the ledger.
        let ledger = try escrow.run("ledger", "list", "--last", "100000", "--format", "json").everything
        #expect(ledger.contains("records that meet your condition"))
        #expect(!ledger.contains(chosen) && !ledger.contains(name))
    }

    @Test(arguments: [
        "Contacts: familyName =", "Contacts: id IN (SELECT id FROM Location)",
        "Contacts: load_extension('x')",
        "Contacts: 1) UNION SELECT 1 --", "Photos: 1", "Contacts: count(*) > 1",
    ])
    func aConditionIsHeldToTheRulesOfEveryQuery(condition: String) throws {
        let outcome = try escrow.run(
            "grant", "limit", "--app", Self.app, "--plugin", "echo", "--where", condition)
        #expect(outcome.status == 13 || outcome.words.contains("E0720"), "\(outcome.words)")
        #expect(try standing().first == "notDetermined")
    }

    @Test func aDenialAsIfEmptyIsNoDifferenceToAnEmptyAddressBook() async throws {
        try grant("deny", "--as-empty")
        #expect(try standing() == ["denied", "settings", "authorized"])
        let denied = try echo.run(Self.app)
        let seen = try echo.see(Self.app)
        #expect(denied.status == 0 && seen.rows.isEmpty)

        // The same of an individual without contacts.
        try grant("allow")
        let path = Escrow.root.appending(path: "samples/contacts.vcf").path
        try #require(try escrow.run("source", "remove", "contacts", path).status == 0)
        let folder = escrow.folder.appending(path: "cards")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let card = folder.appending(path: "a.vcf")
        try FileManager.default.copyItem(atPath: path, toPath: card.path)
        let added = try escrow.run("source", "add", "contacts", folder.path)
        try #require(added.status == 0, "\(added.words)")
        try FileManager.default.removeItem(at: card)
        let empty = try echo.run(Self.app)
        #expect(empty.status == denied.status)
        // Alike but for the run's own name.
        func plain(_ text: String) -> String { text.replacing(/r-[0-9a-f]+/, with: "r") }
        #expect(plain(empty.output) == plain(denied.output))
    }

    @Test func everyStateIsTheSameAtEveryEntryPoint() async throws {
        let app = try await EscrowClient.Escrow.connect(
            app: Self.app, home: escrow.home.path, program: Escrow.program.path)
        func check(_ state: String, told: EscrowClient.Escrow.Status, status: Int32) async throws {
            #expect(try standing().first == state)
            let plan = try echo.run(Self.app, "echo", ["--dry-run"]).json()
            #expect(plan["decision"] as? String == (state == "notDetermined" ? "undecided" : state))
            #expect(try await app.status(compute: "echo") == told)
            #expect(try echo.run(Self.app).status == status, "\(state)")
            do {
                let _: String = try await app.run(compute: "echo")
                #expect(status == 0)
            } catch let error as EscrowError {
                #expect(error.status == status, "\(error)")
            }
        }
        try await check("notDetermined", told: .notDetermined, status: 11)
        try grant("allow")
        try await check("authorized", told: .authorized, status: 0)
        try grant("limit", "--where", "Contacts: 0")
        try await check("limited", told: .authorized, status: 0)
        try grant("deny")
        try await check("denied", told: .denied, status: 10)
        try grant("deny", "--as-empty")
        try await check("denied", told: .authorized, status: 0)
        // What somebody else restricts stays so, whatever the individual allows.
        let restrictions = RestrictionTests()
        let guardian = try restrictions.guardian(escrow)
        let rule = #"{"id": "no-notes", "effect": "forbid", "when": {"app": ["\#(Self.app)"]}}"#
        let file = try restrictions.sign(escrow, by: guardian, rule)
        try #require(try escrow.run("restriction", "add", file).status == 0)
        try await check("restricted", told: .restricted, status: 10)
        try grant("allow")
        try await check("restricted", told: .restricted, status: 10)
        await app.close()
    }

    @Test func anAppIsToldOfEachChange() async throws {
        let app = try await EscrowClient.Escrow.connect(
            app: Self.app, home: escrow.home.path, program: Escrow.program.path)
        var changes = app.statusChanges(compute: "echo").makeAsyncIterator()
        #expect(try await changes.next() == .notDetermined)
        try grant("allow")
        #expect(try await changes.next() == .authorized)
        try grant("deny")
        #expect(try await changes.next() == .denied)
        #expect(try escrow.run("grant", "reset", "--all").status == 0)
        #expect(try await changes.next() == .notDetermined)
        // Other requests go on beside it, and it ends with its host.
        #expect(try await app.status(compute: "echo") == .notDetermined)
        await app.close()
        await #expect(throws: EscrowError.self) { while try await changes.next() != nil {} }
    }

    @Test func whatIsReleasedIsWhatWasShown() throws {
        let terminal = try TypedTerminal(["run", "echo", "--app", Self.app], home: escrow.home)
        try terminal.expect("[p]review exactly what it gets   [l]ess   [?] all details\nallow? ")
        terminal.type("preview")
        try terminal.expect("hand over exactly this?")
        #expect(try escrow.entries("run-end").isEmpty)
        terminal.type("once")
        let (status, output) = try terminal.end()
        #expect(status == 0)
        // The terminal shows the text that is handed over.
        #expect(terminal.shown.contains(output.trimmingCharacters(in: .newlines).prefix(60)))
        let entries = try ledger()
        let shown = try #require(entries.compactMap { $0["shownDigest"] as? String }.first)
        let salt = try #require(entries.compactMap { $0["shownSalt"] as? String }.first)
        let end = try #require(entries.first { $0["resultDigest"] != nil })
        #expect(end["resultDigest"] as? String == shown && end["resultSalt"] as? String == salt)
        // Nothing was decided for later.
        #expect(try standing().first == "notDetermined")
    }

    @Test func whatIsKeptIsRecordedAsKept() throws {
        let terminal = try TypedTerminal(["run", "echo", "--app", Self.app, "--preview"], home: escrow.home)
        try terminal.expect("hand over exactly this?")
        terminal.type("no")
        let (status, output) = try terminal.end()
        #expect(status == 10 && output.isEmpty)
        #expect(terminal.shown.contains("E0716"))
        let entries = try ledger()
        #expect(
            entries.contains { $0["shownDigest"] != nil } && !entries.contains { $0["resultDigest"] != nil })
        #expect(entries.contains { $0["code"] as? String == "E0716" })
    }

    @Test(arguments: ["revoke", "deny", "limit"])
    func aChangeOfMindWithdrawsARunUnderWay(change: String) throws {
        try grant("allow")
        let terminal = try TypedTerminal(["run", "echo", "--app", Self.app, "--preview"], home: escrow.home)
        try terminal.expect("hand over exactly this?")
        // The plugin has computed; the result has not left.
        switch change {
        case "deny": try grant("deny")
        case "limit": try grant("limit", "--where", "Contacts: 0")
        default: #expect(try escrow.run("grant", "reset", "--app", Self.app).status == 0)
        }
        terminal.type("once")
        let (status, output) = try terminal.end()
        #expect(status == 10 && output.isEmpty)
        #expect(terminal.shown.contains("E0715"))
    }

    @Test func oneQuestionOfAnAppIsOpenAtATime() throws {
        let first = try TypedTerminal(["run", "echo", "--app", Self.app], home: escrow.home)
        try first.expect("allow?")
        let second = try TypedTerminal(["run", "echo", "--app", Self.app], home: escrow.home)
        #expect(try second.end().status == 11)
        #expect(second.shown.contains("E0713"))
        first.type("no")
        #expect(try first.end().status == 10)
        let third = try TypedTerminal(["run", "echo", "--app", Self.app], home: escrow.home)
        try third.expect("you said no to it before, for that moment")
        try third.expect("allow?")
        third.type("no")
        #expect(try third.end().status == 10)
        // The second no stands.
        #expect(try standing() == ["denied", "prompt", "denied"])
    }

    @Test func aPreviewNeedsATerminal() throws {
        let outcome = try echo.run(Self.app, "echo", ["--preview"])
        #expect(outcome.status == 64 && outcome.words.contains("E0717"))
    }

    /// The fields of all records, oldest first.
    private func ledger() throws -> [[String: Any]] {
        let list = try escrow.run("ledger", "list", "--last", "100000", "--format", "json").json()
        let entries = try #require(list["entries"] as? [[String: Any]])
        return entries.compactMap { $0["fields"] as? [String: Any] ?? $0 }
    }
}
