import Foundation
import Testing

/// `escrow ledger`: what a run left in it, proofs of it, erasing it, and damage.
@Suite struct LedgerTests {
    /// A home in which one run was allowed and done; its id.
    func homeWithARun() throws -> (Escrow, String) {
        let escrow = try Escrow.withPhoneCheck(for: "org.example.test")
        #expect(try escrow.run("run", "phone-check", "--app", "org.example.test").status == 0)
        let entries = try #require(
            try escrow.run("ledger", "list", "--format", "json").json()["entries"] as? [[String: Any]])
        return (escrow, try #require(entries.last?["run"] as? String))
    }

    @Test func theLedgerTellsWhyAndWithWhichWordsAndWhoReadWhat() throws {
        let (escrow, run) = try homeWithARun()
        let why = try escrow.run("ledger", "why", run, "--format", "json").json()
        #expect(why["decidedBy"] as? String == "grant")
        let words = try #require(why["words"] as? String)
        #expect(words.hasPrefix("sha256:") && words.utf8.count == 71)
        let change = try #require((why["changes"] as? [[String: Any]])?.first)
        #expect(change["action"] as? String == "allowed")
        #expect(try escrow.run("ledger", "why", run).output.contains("words shown"))
        #expect(try escrow.run("ledger", "why", "r-none").status == 64)

        func readers(_ words: String...) throws -> [[String: Any]] {
            try #require(
                try Escrow.start(["ledger", "who"] + words + ["--format", "json"], home: escrow.home)
                    .json()["readers"] as? [[String: Any]])
        }
        let table = try #require(try readers("ContactPhoneNumbers").first)
        #expect(table["run"] as? String == run)
        #expect(table["app"] as? String == "org.example.test")
        #expect(try readers("Photos").isEmpty)
        let none = try escrow.run("ledger", "who", "Photos")
        #expect(none.output == "no dataflow of this ledger read that table\n")
        #expect(none.words.isEmpty)
        let slip = try escrow.run("ledger", "who", "Photo")
        #expect(slip.status == 64)
        #expect(slip.words.contains("E1012"))
        // Whoever read a contact's phone numbers read of the contacts.
        #expect(try readers("contacts").first?["run"] as? String == run)
        // A run reads of a contact's record where it reads the contact's phone numbers.
        let ids = try escrow.run("access", "SELECT contactID FROM ContactPhoneNumbers").output
        let id = try #require(ids.split(separator: "\n").dropFirst().first.map(String.init))
        for table in ["ContactPhoneNumbers", "Contacts"] {
            #expect(try readers(table, id).first?["record"] as? String == "read", "\(ids)")
            #expect(try readers(table, "no such record").isEmpty)
        }
        let receipt = try escrow.run("ledger", "receipt", run).output
        for word in [
            "org.example.test", "SELECT", "ContactPhoneNumbers", "returned", "words shown", "rows read",
        ] {
            #expect(receipt.contains(word), "\(word)")
        }
    }

    @Test func aProofIsCheckedWithoutTheLedgerAndAnErasedEntryLeavesNothing() throws {
        let (escrow, run) = try homeWithARun()
        let proof = try escrow.run("ledger", "prove", "3").output
        let file = URL(filePath: try escrow.write("proof", proof))
        #expect(
            try escrow.run("ledger", "verify", "--proof", file.path).output.hasPrefix(
                "the proof holds: entry 3 is there"))
        try Data(proof.replacing("index 2", with: "index 1").utf8).write(to: file)
        let refused = try escrow.run("ledger", "verify", "--proof", file.path)
        #expect(refused.status != 0)
        #expect(refused.words.contains("E0043"))

        let log = { try String(contentsOf: escrow.home.appending(path: "ledger/log.2"), encoding: .utf8) }
        let erased = try escrow.run("ledger", "erase", run)
        #expect(erased.status == 0)
        #expect(try !log().contains("SELECT"))
        #expect(try escrow.run("ledger", "verify").output.contains("2 of them were erased"))
        let growth = try escrow.run("ledger", "prove", "--consistency", "3").output
        try Data(growth.utf8).write(to: file)
        #expect(try escrow.run("ledger", "verify", "--proof", file.path).status == 0)
        let lines = try escrow.run("ledger", "export").output.split(separator: "\n")
        for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        #expect(lines.last?.contains("\"erased\"") == true)
        #expect(try escrow.run("ledger", "erase", run).words.contains("E0041"))
        // Of an erased run the ledger cannot tell whether it read a record, so it is listed.
        #expect(try escrow.run("ledger", "who", "ContactPhoneNumbers").output.contains(run))
        #expect(try escrow.run("run", "phone-check", "--app", "org.example.test").status == 0)
    }

    @Test func nothingRunsWhileTheLedgerIsDamagedAndARepairIsRecorded() throws {
        let (escrow, _) = try homeWithARun()
        let log = escrow.home.appending(path: "ledger/log.1")
        let whole = try Data(contentsOf: log)
        try whole.prefix(whole.count / 2).write(to: log)
        let refused = try escrow.run("run", "phone-check", "--app", "org.example.test")
        #expect(refused.status != 0)
        #expect(refused.output.isEmpty)
        #expect(refused.words.contains("E0025"))
        #expect(try escrow.run("ledger", "verify").words.contains("E0025"))
        let repaired = try escrow.run("ledger", "repair")
        #expect(repaired.status == 0)
        #expect(repaired.output.contains("are lost; a signed head vouches that they were there"))
        #expect(try escrow.run("ledger", "verify").output.contains("lost to damage"))
        // Who read a table is not told of what is lost, and that is said.
        #expect(try escrow.run("ledger", "who", "Contacts").words.contains("were dropped or lost"))
        let who = try escrow.run("ledger", "who", "Contacts", "--format", "json").json()
        #expect(try #require(who["missing"] as? Int) > 0)
        #expect(try escrow.run("run", "phone-check", "--app", "org.example.test").status == 0)
        #expect(try escrow.run("ledger", "repair").output == "the ledger is whole: nothing was changed\n")
    }

    @Test func aLedgerThatWasPutBackStopsEveryRun() throws {
        let (escrow, _) = try homeWithARun()
        let folder = escrow.home.appending(path: "ledger")
        let old = escrow.home.appending(path: "ledger.old")
        try FileManager.default.copyItem(at: folder, to: old)
        #expect(try escrow.run("run", "phone-check", "--app", "org.example.test").status == 0)
        try FileManager.default.removeItem(at: folder)
        try FileManager.default.moveItem(at: old, to: folder)
        let refused = try escrow.run("run", "phone-check", "--app", "org.example.test")
        #expect(refused.words.contains("E0038"))
        #expect(refused.output.isEmpty)
    }

    @Test func oldEntriesGoAsTheConfigurationSays() throws {
        let (escrow, _) = try homeWithARun()
        #expect(try escrow.run("ledger", "tidy").output == "there is nothing to let go of\n")
        let path = escrow.home.appending(path: "config.json")
        try Data(
            #"{"ledger":{"keepDays":30,"maxMiB":1,"hoursAfterDays":1,"daysAfterDays":2,"records":false}}"#
                .utf8
        )
        .write(to: path)
        #expect(try escrow.run("ledger", "tidy").output == "there is nothing to let go of\n")
        #expect(try escrow.run("run", "phone-check", "--app", "org.example.test").status == 0)
        #expect(try !escrow.run("ledger", "show", "last", "--format", "json").output.contains("\"records\""))
        try Data(#"{"ledger":{"keepDays":0}}"#.utf8).write(to: path)
        #expect(try escrow.run("ledger", "list").words.contains("E0018"))
    }
}
