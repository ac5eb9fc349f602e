import Foundation
import Testing

/// Every step of every run is in the ledger, and every change of what decides about runs.
@Suite(.timeLimit(.minutes(60))) struct LedgerStepsTests {
    /// The fields of the last entry of a kind, with all names that must be there.
    private func last(
        _ kind: String, in escrow: Escrow, has names: String...,
        at location: SourceLocation = #_sourceLocation
    ) throws -> [String: Any] {
        let fields = try #require(try escrow.entries(kind).last, "no \(kind)", sourceLocation: location)
        for name in names {
            #expect(fields[name] != nil, "\(kind) lacks \(name)", sourceLocation: location)
        }
        return fields
    }

    @Test func theLedgerHoldsEveryStepOfARun() throws {
        let escrow = try EgressTests().escrow("weather")
        let server = try StandIn(for: escrow)
        let app = "org.example.test"
        #expect(try escrow.run("source", "add", "contacts", "samples/contacts.vcf").status == 0)
        // Installs and what the individual decided beforehand.
        _ = try last("source-added", in: escrow, has: "source", "path")
        _ = try last("key-trusted", in: escrow, has: "key", "pattern")
        try escrow.allow("phone-check")
        let installed = try last("plugin-installed", in: escrow, has: "version", "manifest", "signers")
        #expect((installed["plugin"] as? String)?.hasSuffix("phone-check") == true)
        let granted = try last("grant-changed", in: escrow, has: "id", "manifest", "scope", "reason", "words")
        #expect(granted["action"] as? String == "allowed")

        // Decision, exact words, access, compute, result, release.
        #expect(try escrow.run("run", "phone-check", "--app", app).status == 0)
        let intent = try last(
            "run-intent", in: escrow,
            has: "sql", "tables", "returns", "uses", "coarser", "parameters", "purpose", "target", "place",
            "capacity", "manifest", "signers", "reason", "state")
        #expect(intent["decidedBy"] as? String == "grant")
        #expect(intent["grant"] as? String == granted["id"] as? String)
        #expect(intent["words"] as? String == granted["words"] as? String)
        #expect(intent["tables"] as? [String] == ["ContactPhoneNumbers"])
        let end = try last(
            "run-end", in: escrow,
            has: "used", "limits", "capped", "rows", "bytes", "records", "resultBytes", "resultDigest",
            "resultSalt", "reason", "whenMs")
        #expect(end["outcome"] as? String == "returned")
        #expect(end["status"] as? String == "clean")
        #expect((end["rows"] as? Int ?? 0) > 0)
        #expect((end["records"] as? [[String: Any]])?.first?["table"] as? String == "ContactPhoneNumbers")

        // Egress: before it is sent, and how it ended.
        _ = try escrow.run("run", "weather", "--app", app)
        let sent = try last("egress-sent", in: escrow, has: "id", "endpoint", "bytes", "sha256")
        let answered = try last("egress-answered", in: escrow, has: "id")
        #expect(sent["id"] as? String == answered["id"] as? String)

        // A run that nobody decided about, one that a rule forbids, and the change of the rules.
        #expect(try escrow.run("run", "phone-check", "--app", "org.example.other").status == 11)
        #expect(try last("decision", in: escrow, has: "words")["answer"] as? String == "nobody to ask")
        try escrow.prefer(#"{"id": "no", "effect": "forbid", "when": {"app": ["org.example.other"]}}"#)
        #expect(try escrow.run("run", "phone-check", "--app", "org.example.other").status == 10)
        let first = try last("preferences-changed", in: escrow, has: "preferences", "before")
        #expect(first["before"] is NSNull && first["rules"] as? [String] == ["no"])
        let forbidden = try last("decision", in: escrow, has: "words", "facts", "rules")
        #expect(forbidden["answer"] as? String == "forbidden by rule")
        #expect(forbidden["preferences"] as? String == first["preferences"] as? String)
        #expect(try escrow.run("run", "phone-check", "--app", "org.example.other").status == 10)
        #expect(try escrow.entries("preferences-changed").count == 1)
        try FileManager.default.removeItem(at: escrow.home.appending(path: "preferences.json"))
        #expect(try escrow.run("run", "phone-check", "--app", app).status == 0)
        let gone = try last("preferences-changed", in: escrow)
        #expect(gone["preferences"] is NSNull && gone["before"] as? String == first["preferences"] as? String)

        // A changed mind, a removal, an erasure.
        let id = try #require(granted["id"] as? String)
        #expect(try escrow.run("grant", "revoke", id).status == 0)
        #expect(try last("grant-changed", in: escrow)["action"] as? String != "allowed")
        #expect(try escrow.run("plugin", "remove", "phone-check").status == 0)
        _ = try last("plugin-removed", in: escrow, has: "plugin", "version")
        #expect(try escrow.run("ledger", "erase", "2").status == 0)
        _ = try last("erased", in: escrow, has: "entries", "why")
        #expect(try escrow.run("ledger", "verify").status == 0)
        withExtendedLifetime(server) {}
    }

    @Test func aViolationIsInTheLedgerByItsNameAndNothingWasReleased() throws {
        let escrow = try RogueTests.prepare()
        #expect(
            try escrow.run("run", "rogue", "--app", "org.example.test", "--param", "mode=socket").status == 14
        )
        let end = try last(
            "run-end", in: escrow, has: "syscall", "reason", "whenMs", "used", "code", "message")
        #expect(end["outcome"] as? String == "nothing returned")
        #expect(end["status"] as? String == "violation")
        #expect((end["syscall"] as? [String: Any])?["name"] as? String == "socket")
        #expect(end["resultDigest"] == nil)
    }

    @Test func aHostForgetsByItselfWhenItsAppHasGone() throws {
        let escrow = try Escrow()
        try escrow.configure(#"{"ledger": {"maxMiB": 1}}"#)
        let host = Process()
        host.executableURL = Escrow.program
        host.arguments = ["host", "--stdio"]
        host.environment = ProcessInfo.processInfo.environment.merging([
            "ESCROW_HOME": escrow.home.path
        ]) { $1 }
        host.standardInput = FileHandle.nullDevice
        host.standardOutput = FileHandle.nullDevice
        try host.run()
        host.waitUntilExit()
        #expect(host.terminationStatus == 0)
        #expect(FileManager.default.fileExists(atPath: escrow.home.appending(path: "ledger.tidied").path))
        #expect(try escrow.run("ledger", "tidy", "--if-due").output == "there is nothing to let go of\n")
    }

    @Test func aRunLeavesTheForgettingToAProcessThatNobodyWaitsFor() throws {
        let escrow = try Escrow.withPhoneCheck(for: "org.example.test")
        try escrow.configure(#"{"ledger": {"maxMiB": 1}}"#)
        let watch = inotify_init1(0)
        defer { close(watch) }
        try #require(inotify_add_watch(watch, escrow.home.path, UInt32(IN_MOVED_TO)) >= 0)
        #expect(try escrow.run("run", "phone-check", "--app", "org.example.test").status == 0)
        // The mark is put in its place last of all.
        let mark = escrow.home.appending(path: "ledger.tidied").path
        var events = [UInt8](repeating: 0, count: 4096)
        while !FileManager.default.fileExists(atPath: mark) {
            var waiting = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
            try #require(poll(&waiting, 1, 120_000) == 1, "nothing was tidied")
            _ = read(watch, &events, events.count)
        }
        #expect(try escrow.run("ledger", "verify").status == 0)
    }
}
