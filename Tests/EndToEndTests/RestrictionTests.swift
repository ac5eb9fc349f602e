import Foundation
import Testing

/// What a guardian or an organisation signed, the individual cannot override.
@Suite struct RestrictionTests {
    /// A home of the guardian's own, with a key.
    func guardian(_ escrow: Escrow, _ name: String = "guardian") throws -> URL {
        let home = escrow.folder.appending(path: name)
        #expect(try Escrow.start(["init"], home: home).status == 0)
        #expect(try Escrow.start(["key", "new", "main"], home: home).status == 0)
        return home
    }

    /// Signs a document; the path of the signed file.
    func sign(
        _ escrow: Escrow, by home: URL, _ rules: String, kind: String = "parental", sequence: Int = 1,
        remove: Bool = false, more: String = ""
    ) throws -> String {
        let document = try escrow.write(
            "restriction.json",
            #"{"id": "school", "class": "\#(kind)", "setBy": "Mum and Dad", \#(more)"rules": [\#(rules)]}"#)
        let file = escrow.folder.appending(path: "\(UUID().uuidString).dsse.json").path
        let signed = try Escrow.start(
            [
                "restriction", "sign", document, "--key", "main", "--sequence", String(sequence), "--output",
                file,
            ] + (remove ? ["--remove"] : []), home: home)
        try #require(signed.status == 0, "\(signed.words)")
        return file
    }

    static let forbid = #"{"id": "no-quality", "effect": "forbid", "when": {"purpose": ["data-quality"]}}"#

    private func run(_ escrow: Escrow) throws -> Escrow.Outcome {
        try escrow.run("run", "phone-check", "--app", PreferencesTests.app)
    }

    @Test(arguments: ["parental", "organisational"])
    func neitherAGrantNorARuleLiftsIt(kind: String) throws {
        let escrow = try PreferencesTests.escrow(#"{"id": "all", "effect": "permit", "prompt": "skip"}"#)
        #expect(try run(escrow).status == 0)
        let guardian = try guardian(escrow)
        let file = try sign(escrow, by: guardian, Self.forbid, kind: kind)
        let added = try escrow.run("restriction", "add", file)
        #expect(added.status == 0)
        #expect(added.words.contains("restricted by Mum and Dad (\(kind), school), key SHA256:"))
        #expect(
            try escrow.run("grant", "allow", "--app", PreferencesTests.app, "--plugin", "phone-check").status
                == 0)
        let denied = try run(escrow)
        #expect(denied.status == 10 && denied.output.isEmpty)
        #expect(
            denied.words.contains(
                "refused[E1115]: this dataflow is restricted by Mum and Dad (\(kind), school)"))
        let plan = try escrow.run(
            "run", "phone-check", "--app", PreferencesTests.app, "--dry-run", "--format", "json"
        ).json()
        #expect(plan["decision"] as? String == "restricted")
        let decision = try #require(try escrow.entries("decision").last)
        #expect(decision["answer"] as? String == "restricted")
        #expect(decision["rules"] as? [String] == ["school", "no-quality"])
        #expect(try escrow.entries("restriction-changed").last?["setBy"] as? String == "Mum and Dad")
        #expect(try escrow.run("restriction", "list").output.contains(kind))
        // Whoever owns the files can delete them; the ledger still knows.
        try FileManager.default.removeItem(at: escrow.home.appending(path: "restrictions"))
        let list = try escrow.run("restriction", "list")
        #expect(list.words.contains("school was added, never taken back, and is gone"))
    }

    @Test(arguments: [
        (#"{"id": "p", "effect": "permit"}"#, "E1117"),
        (#"{"id": "f", "effect": "forbid", "when": {"tables": []}}"#, "E1117"),
    ])
    func aRestrictionThatPermitsOrIsNotUnderstoodIsNotSigned(rules: String, code: String) throws {
        let escrow = try Escrow()
        let guardian = try guardian(escrow)
        let document = try escrow.write(
            "r.json", #"{"id": "school", "class": "parental", "setBy": "Mum", "rules": [\#(rules)]}"#)
        let signed = try Escrow.start(
            ["restriction", "sign", document, "--key", "main", "--output", escrow.folder.path + "/o"],
            home: guardian)
        #expect(signed.status == 12 && signed.words.contains(code))
    }

    /// "Don't allow changes": what was decided goes on, and nothing else is decided, wherever that is tried.
    @Test func oneThatFreezesDecisionsLeavesThemAsTheyAre() throws {
        let escrow = try Escrow.withPhoneCheck(for: PreferencesTests.app)
        let guardian = try guardian(escrow)
        let freeze = #""freezesDecisions": true, "#
        let file = try sign(escrow, by: guardian, "", more: freeze)
        let added = try escrow.run("restriction", "add", file)
        #expect(added.status == 0 && added.words.contains("decisions stay as they are"), "\(added.words)")
        #expect(try escrow.run("restriction", "list").output.contains("decisions stay as they are"))
        #expect(try run(escrow).status == 0)
        // Even a rule of the individual's own that permits all asks nobody and lets nothing more run.
        try escrow.prefer(#"{"id": "all", "effect": "permit", "prompt": "skip"}"#)
        let other = ["run", "phone-check", "--app", "org.example.other"]
        let stopped = try Escrow.start(other, home: escrow.home)
        #expect(stopped.status == 10 && stopped.words.contains("E1115"), "\(stopped.words)")
        let plan = try Escrow.start(other + ["--dry-run", "--format", "json"], home: escrow.home).json()
        #expect(plan["decision"] as? String == "restricted")
        #expect(try escrow.run("pending", "--format", "json").output.contains("org.example.other") == false)
        let grant = try #require(
            (try escrow.run("grant", "list", "--format", "json").json()["grants"] as? [[String: Any]])?
                .first?["id"] as? String)
        for words in [
            ["grant", "allow", "--app", "org.example.other", "--plugin", "phone-check"],
            ["grant", "deny", "--app", PreferencesTests.app, "--plugin", "phone-check"],
            ["grant", "revoke", grant], ["grant", "reset", "--all"], ["undo"],
        ] {
            let refused = try Escrow.start(words, home: escrow.home)
            #expect(
                refused.status == 10 && refused.words.contains("E1129"), "\(words): \(refused.everything)")
        }
        #expect(try run(escrow).status == 0)
        #expect(try escrow.run("restriction", "remove", file).words.contains("E1119"))
        let removal = try sign(escrow, by: guardian, "", sequence: 2, remove: true, more: freeze)
        #expect(try escrow.run("restriction", "remove", removal).status == 0)
        #expect(try escrow.run("grant", "revoke", grant).status == 0)
    }
}
