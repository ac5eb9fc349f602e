import Foundation
import Testing

/// Rules decide before anyone is asked; what they decide is in the ledger.
@Suite struct PreferencesTests {
    static let app = "org.example.notes"

    /// A home with contacts, phone-check installed, and a device that a file stands for.
    static func escrow(_ rules: String, more: String = "", device: String = "{}") throws -> Escrow {
        let escrow = try Escrow.withPhoneCheck()
        try escrow.prefer(rules, more: more)
        let file = try escrow.write("device.json", device)
        try escrow.configure(#"{"device": {"standIn": "\#(file)"}}"#)
        return escrow
    }

    private func run(_ escrow: Escrow, _ arguments: String...) throws -> Escrow.Outcome {
        try Escrow.start(["run", "phone-check", "--app", Self.app] + arguments, home: escrow.home)
    }

    @Test func aForbidWinsOverAGrantAndIsRecordedWithItsRule() throws {
        let escrow = try Self.escrow(
            #"{"id": "no-quality", "effect": "forbid", "when": {"purpose": ["service-provision"]}, "why": "no"}"#
        )
        #expect(
            try escrow.run("grant", "allow", "--app", Self.app, "--plugin", "phone-check").status == 0)
        let denied = try run(escrow)
        #expect(denied.status == 10 && denied.output.isEmpty)
        #expect(denied.words.contains("error[E1111]") || denied.words.contains("refused[E1111]"))
        #expect(denied.words.contains("your rule no-quality forbids this dataflow"))
        #expect(
            try run(escrow, "--dry-run").output.contains(#"  your rules   forbidden by no-quality ("no")"#))
        let decision = try #require(try escrow.entries("decision").last)
        #expect(decision["answer"] as? String == "forbidden by rule")
        #expect(decision["rules"] as? [String] == ["no-quality"])
        let facts = try #require(decision["facts"] as? [String: Any])
        #expect(facts["tables"] as? [String] == ["ContactPhoneNumbers"])
        #expect(try escrow.entries("run-intent").isEmpty)
    }

    /// A program that starts escrow does not choose which hour it is.
    @Test func rulesByTheHourGoByTheMachinesTimeZone() throws {
        let now = Calendar.current.dateComponents([.hour, .minute], from: .now)
        let minutes = try #require(now.hour) * 60 + (try #require(now.minute))
        func clock(_ minutes: Int) -> String {
            let minutes = (minutes + 1_440) % 1_440
            return String(format: "%02d:%02d", minutes / 60, minutes % 60)
        }
        let escrow = try Self.escrow(
            #"{"id": "no", "effect": "forbid", "when": {"hour": {"from": "\#(clock(minutes - 120))", "to": "\#(clock(minutes + 120))"}}}"#
        )
        for zone in ["XXX-12", "Pacific/Kiritimati", ":/nonexistent"] {
            let run = try Escrow.start(
                ["run", "phone-check", "--app", Self.app], home: escrow.home, with: ["TZ": zone])
            #expect(run.status == 10, "\(zone): \(run.words)")
        }
    }

    @Test func aPermitThatSkipsThePromptRunsUnaskedAndSaysWhichRule() throws {
        let escrow = try Self.escrow(
            #"{"id": "own", "effect": "permit", "prompt": "skip", "when": {"app": ["org.example.*"], "sends": false}}"#
        )
        #expect(try run(escrow).status == 0)
        let intent = try #require(try escrow.entries("run-intent").last)
        #expect(intent["rules"] as? [String] == ["own"])
        #expect(try escrow.entries("decision").last?["answer"] as? String == "permitted by rule")
        // A denial that the individual gave stands.
        #expect(try escrow.run("grant", "deny", "--app", Self.app, "--plugin", "phone-check").status == 0)
        #expect(try run(escrow).status == 10)
    }

    @Test func preferencesThatCannotBeReadStopEveryRun() throws {
        let escrow = try Self.escrow(#"{"id": "a", "effect": "allow"}"#)
        let stopped = try run(escrow)
        #expect(stopped.status == 1 && stopped.words.contains("E1101"))
        #expect(stopped.words.contains("preferences.json:1:"))
    }

    @Test func checkNamesWhatCannotBeMeantAndFails() throws {
        let escrow = try Self.escrow(
            #"""
            {"id": "p", "effect": "permit", "when": {"purpose": ["advertising"]}},
            {"id": "f", "effect": "forbid", "when": {"purpose": ["marketing"]}},
            {"id": "t", "effect": "forbid", "when": {"table": ["Contact"]}}
            """#)
        let check = try escrow.run("preferences", "check")
        #expect(check.status == 1)
        #expect(
            check.output == """
                p permits nothing: f forbids all that it permits
                t can never fire: there is no table Contact

                """)
        let shown = try escrow.run("preferences", "show")
        #expect(shown.output.contains("forbids dataflows where the purpose is marketing"))
        #expect(try escrow.run("preferences", "purposes").output.contains("dpv:PersonalisedAdvertising"))
    }

    @Test func aRuleIsTriedOnThePastDataflows() throws {
        let escrow = try Self.escrow(#"{"id": "own", "effect": "permit", "prompt": "skip"}"#)
        for _ in 0..<3 { #expect(try run(escrow).status == 0) }
        let rule = try escrow.write(
            "rule.json", #"{"id": "new", "effect": "forbid", "when": {"table": ["ContactPhoneNumbers"]}}"#)
        let replay = try escrow.run("preferences", "try", rule, "--format", "json").json()
        #expect(replay["dataflows"] as? Int == 3 && replay["changed"] as? Int == 3)
        let change = try #require((replay["changes"] as? [[String: Any]])?.first)
        #expect(change["from"] as? String == "permitted unasked" && change["to"] as? String == "forbidden")
        #expect(change["times"] as? Int == 3)
        // Nothing was changed by trying.
        #expect(try run(escrow).status == 0)
        let other = try escrow.write(
            "other.json", #"{"id": "new", "effect": "forbid", "when": {"table": ["Photos"]}}"#)
        #expect(
            try escrow.run("preferences", "try", other, "--format", "json").json()["changed"] as? Int == 0)
    }

    @Test func aPlainCopyIsShownForWhatItIsAndNoPurposePermitsIt() throws {
        let escrow = try Self.escrow(
            #"{"id": "services", "effect": "permit", "prompt": "skip", "when": {"purpose": ["service-provision"]}}"#
        )
        try escrow.install("data-copy")
        let run = { try escrow.run("run", "data-copy", "--app", Self.app) }
        let undecided = try run()
        #expect(undecided.status == 11)
        let sheet = try escrow.run("run", "data-copy", "--app", Self.app, "--dry-run").output
        #expect(
            sheet.contains(
                """
                an app asks for this:
                  DANGER       this is no computation: it hands your data itself, as it is, to org.example.notes
                """))
        #expect(sheet.contains("nothing can take it back"))
        #expect(
            sheet.contains(
                "  trust zone   a plain copy: what is computed from it, you cannot see; crosses your trust zone:"
            ))
        #expect(try escrow.run("grant", "allow", "--app", Self.app, "--plugin", "data-copy").status == 0)
        let copied = try run()
        #expect(copied.status == 0 && copied.output.contains("Hiro"))
        // Whoever forbids any purpose forbids a copy, which can be used for it.
        try escrow.prefer(#"{"id": "no-ads", "effect": "forbid", "when": {"purpose": ["marketing"]}}"#)
        #expect(try run().status == 10)
    }

    @Test func aPluginThatHandsRowsOnWithoutSayingSoIsRefused() throws {
        let escrow = try Self.escrow("")
        let folder = escrow.folder.appending(path: "sly")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let source = Escrow.root.appending(path: "Plugins/data-copy")
        let manifest = try String(contentsOf: source.appending(path: "plugin.json"), encoding: .utf8)
            .replacing("\"data-copy\"", with: "\"search\"").replacing(
                "org.example.data-copy", with: "org.example.sly")
        try Data(manifest.utf8).write(to: folder.appending(path: "plugin.json"))
        try FileManager.default.copyItem(
            at: source.appending(path: "data-copy.jq"), to: folder.appending(path: "data-copy.jq"))
        let package = escrow.folder.appending(path: "sly.escrow").path
        #expect(try escrow.run("key", "new", "sly").status == 0)
        for command in [["check", folder.path], ["pack", folder.path, "--key", "sly", "--output", package]] {
            let refused = try Escrow.start(["plugin"] + command, home: escrow.home)
            #expect(refused.status == 12 && refused.words.contains("E1123"), "\(command[0])")
        }
        #expect(!FileManager.default.fileExists(atPath: package))
    }
}

extension Escrow {
    /// Installs a sample plugin.
    func install(_ plugin: String) throws {
        let installed = try run(
            "plugin", "install", Self.packages.appending(path: "\(plugin).escrow").path, "--yes")
        try #require(installed.status == 0, "\(installed.words)")
    }

    /// Writes preferences.
    func prefer(_ rules: String, more: String = "") throws {
        try Data("{\"escrow-preferences\": 1, \(more)\"rules\": [\(rules)]}".utf8).write(
            to: home.appending(path: "preferences.json"))
    }

    /// Writes the configuration.
    func configure(_ text: String) throws {
        try Data(text.utf8).write(to: home.appending(path: "config.json"))
    }

    /// The fields of all records of a kind.
    func entries(_ kind: String) throws -> [[String: Any]] {
        // All of them: how many updates a receiver sends while a test goes on is not the test's to say.
        let list = try run("ledger", "list", "--last", "100000", "--format", "json").json()
        let entries = try #require(list["entries"] as? [[String: Any]])
        return entries.filter { $0["kind"] as? String == kind }.compactMap { $0["fields"] as? [String: Any] }
    }
}
