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
        remove: Bool = false
    ) throws -> String {
        let document = try escrow.write(
            "restriction.json",
            #"{"id": "school", "class": "\#(kind)", "setBy": "Mum and Dad", "rules": [\#(rules)]}"#)
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

    /// The trust zone is the individual's own, so a restriction about what leaves it looks at the device alone.
    @Test func theIndividualsTrustZoneLiftsNone() throws {
        let escrow = try PreferencesTests.escrow(
            #"{"id": "all", "effect": "permit", "prompt": "skip"}"#,
            more: #""trustZone": {"apps": ["\#(PreferencesTests.app)"]}, "#)
        #expect(try run(escrow).status == 0)
        let file = try sign(
            escrow, by: try guardian(escrow),
            #"{"id": "home", "effect": "forbid", "when": {"crosses": true}}"#)
        #expect(try escrow.run("restriction", "add", file).status == 0)
        let denied = try run(escrow)
        #expect(denied.status == 10 && denied.words.contains("E1115"), "\(denied.words)")
    }

    @Test func onlyWhoSetItTakesItBack() throws {
        let escrow = try PreferencesTests.escrow(#"{"id": "all", "effect": "permit", "prompt": "skip"}"#)
        let guardian = try guardian(escrow)
        let first = try sign(escrow, by: guardian, Self.forbid)
        #expect(try escrow.run("restriction", "add", first).status == 0)
        // By another key, by a file that takes nothing back, and by one whose signature is broken.
        let stranger = try self.guardian(escrow, "stranger")
        let foreign = try sign(escrow, by: stranger, Self.forbid, sequence: 2, remove: true)
        let refused = try escrow.run("restriction", "remove", foreign)
        #expect(refused.status == 10 && refused.words.contains("E1119"))
        #expect(try escrow.run("restriction", "remove", first).words.contains("E1119"))
        let removal = try sign(escrow, by: guardian, Self.forbid, sequence: 2, remove: true)
        let broken = try String(contentsOfFile: removal, encoding: .utf8).replacing(
            "\"sig\":\"", with: "\"sig\":\"AAAA")
        #expect(try escrow.run("restriction", "remove", try escrow.write("broken", broken)).status == 12)
        #expect(try run(escrow).status == 10)

        #expect(try escrow.run("restriction", "remove", removal).status == 0)
        #expect(try run(escrow).status == 0)
        // What was taken back is not put back by its old file.
        let again = try escrow.run("restriction", "add", first)
        #expect(again.status == 12 && again.words.contains("E1117"))
    }

    @Test func aFileThatIsDeletedOrPutBackStopsEveryRun() throws {
        let escrow = try PreferencesTests.escrow(#"{"id": "all", "effect": "permit", "prompt": "skip"}"#)
        let guardian = try guardian(escrow)
        let first = try sign(
            escrow, by: guardian, #"{"id": "x", "effect": "forbid", "when": {"table": ["Photos"]}}"#)
        let second = try sign(escrow, by: guardian, Self.forbid, sequence: 2)
        #expect(try escrow.run("restriction", "add", first).status == 0)
        #expect(try run(escrow).status == 0)
        #expect(try escrow.run("restriction", "add", second).status == 0)
        #expect(try run(escrow).status == 10)
        let installed = escrow.home.appending(path: "restrictions/school.dsse.json")
        try FileManager.default.removeItem(at: installed)
        let stopped = try run(escrow)
        #expect(stopped.status == 1 && stopped.words.contains("E1116"))
        try FileManager.default.copyItem(at: URL(filePath: first), to: installed)
        #expect(try run(escrow).words.contains("it is not the version that was added"))
        // Whoever owns the files can delete them all; the ledger still knows.
        try FileManager.default.removeItem(at: escrow.home.appending(path: "restrictions"))
        #expect(try run(escrow).status == 0)
        let list = try escrow.run("restriction", "list")
        #expect(list.words.contains("school was added, never taken back, and is gone"))
    }
}
