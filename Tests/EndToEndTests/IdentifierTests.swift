import Foundation
import Testing

/// A plugin is told the identifiers that its manifest asks for and the individual allows, and nothing else by which it
/// could know the individual or the machine.
@Suite struct IdentifierTests {
    static let app = "org.example.one"

    static func asking(_ parameters: String, purpose: String = "development") -> [(String, String)] {
        [
            ("\"parameters\": {}", "\"parameters\": { \(parameters) }"),
            ("\"code\": \"development\"", "\"code\": \"\(purpose)\""),
        ]
    }

    static let all = """
        "me": { "type": "text", "identifier": "application", "why": "settings" }, \
        "us": { "type": "text", "identifier": "vendor" }, "ads": { "type": "text", "identifier": "advertising" }
        """

    @Test func eachHasItsScope() throws {
        let echo = try Echo()
        try echo.addPublisher("other")
        for (name, key) in [("echo", "tester"), ("sister", "tester"), ("twin", "other")] {
            let installed = try echo.install(
                Self.asking(Self.all, purpose: "advertising"), key: key, name: name)
            try #require(installed.status == 0, "\(installed.words)")
            for app in [Self.app, "org.example.two"] { try echo.allow(app, name) }
        }
        let one = try echo.see(Self.app).hello.params
        #expect(Set(one.values).count == 3)
        for value in one.values { #expect(UUID(uuidString: value) != nil) }
        #expect(try echo.see(Self.app).hello.params == one)
        let sister = try echo.see(Self.app, "sister").hello.params
        #expect(sister == one)
        let elsewhere = try echo.see("org.example.two").hello.params
        #expect(
            elsewhere["me"] != one["me"] && elsewhere["us"] == one["us"] && elsewhere["ads"] == one["ads"])
        let stranger = try echo.see(Self.app, "twin").hello.params
        #expect(stranger["me"] == one["me"] && stranger["us"] != one["us"] && stranger["ads"] == one["ads"])

        // The list shows them, a reset changes one, and the ledger knows of the reset but not of the value.
        let listed = try echo.escrow.run("id", "list").output
        for value in one.values { #expect(listed.contains(value)) }
        #expect(try echo.escrow.run("id", "reset", "application", Self.app).words == "forgot 1 identifier\n")
        let after = try echo.see(Self.app).hello.params
        #expect(after["me"] != one["me"] && after["us"] == one["us"] && after["ads"] == one["ads"])
        let ledger = try echo.escrow.run("ledger", "list", "--last", "100000", "--format", "json").output
        #expect(ledger.contains("identifiers-reset"))
        for value in Array(one.values) + Array(after.values) { #expect(!ledger.contains(value)) }
        #expect(try echo.escrow.run("id", "reset", "application", "org.example.none").status == 64)

        // With the last plugin of a publisher goes what it knew the individual by.
        #expect(try echo.escrow.run("plugin", "remove", "echo").status == 0)
        #expect(try echo.see(Self.app, "sister").hello.params["us"] == one["us"])
        #expect(try echo.escrow.run("plugin", "remove", "sister").status == 0)
        #expect(try !echo.escrow.run("id", "list").output.contains(try #require(one["us"])))
    }

    @Test func theSheetSaysSoAndAGrantCoversNoMoreThanItShowed() throws {
        let echo = try Echo()
        let first = try echo.install()
        try #require(first.status == 0, "\(first.words)")
        try echo.allow(Self.app)
        #expect(try echo.see(Self.app).hello.params.isEmpty)
        #expect(try echo.escrow.run("id", "list").output.isEmpty)
        let second = try echo.install(
            Self.asking("\"me\": { \"type\": \"text\", \"identifier\": \"application\" }") + [
                ("\"1.0.0\"", "\"1.1.0\""), ("\"sequence\": 1", "\"sequence\": 2"),
            ])
        try #require(second.status == 0, "\(second.words)")
        let asked = try echo.run(Self.app)
        #expect(asked.status == 11)
        let sheet = try echo.escrow.run("run", "echo", "--app", Self.app, "--dry-run").output
        #expect(sheet.contains("knows you by your identifier for this app alone"), "\(sheet)")
        #expect(asked.words.contains("it is also told your identifier for this app alone"), "\(asked.words)")
        // Nobody was given one before the individual said yes.
        #expect(try echo.escrow.run("id", "list").output.isEmpty)
        try echo.allow(Self.app)
        #expect(try echo.see(Self.app).hello.params.keys.sorted() == ["me"])
    }

    @Test func anAppCannotSetOne() throws {
        let echo = try Echo()
        let installed = try echo.install(
            Self.asking("\"me\": { \"type\": \"text\", \"identifier\": \"application\" }"))
        try #require(installed.status == 0, "\(installed.words)")
        try echo.allow(Self.app)
        let outcome = try echo.run(Self.app, "echo", ["--param", "me=somebody"])
        #expect(outcome.status == 64 && outcome.words.contains("E1160"), "\(outcome.words)")
        let bound = try echo.run(
            Self.app, "echo", ["--sql", "SELECT latitude, timestamp FROM Location WHERE trackName = :me"])
        #expect(bound.status == 13, "\(bound.words)")
    }

    @Test(arguments: [
        "\"ads\": { \"type\": \"text\", \"identifier\": \"advertising\" }",
        "\"me\": { \"type\": \"text\", \"identifier\": \"application\", \"maxLength\": 36 }",
        "\"me\": { \"type\": \"integer\", \"identifier\": \"application\" }",
        "\"me\": { \"type\": \"text\", \"identifier\": \"application\", \"default\": \"x\" }",
    ])
    func whatAManifestMayNotAskFor(_ parameter: String) throws {
        let refused = try Echo().install(Self.asking(parameter))
        #expect(refused.status == 12 && refused.words.contains("E1161"), "\(refused.words)")
    }

    @Test func nothingElseTellsTheMachine() throws {
        let echo = try Echo()
        let installed = try echo.install()
        try #require(installed.status == 0, "\(installed.words)")
        try echo.allow(Self.app)
        let outcome = try echo.run(Self.app)
        #expect(outcome.status == 0, "\(outcome.words)")
        let machine = try echo.see(Self.app).machine
        #expect(
            machine.environment.keys.allSatisfy {
                [
                    "ESCROW_PLUGIN", "LC_CTYPE", "LANG", "PATH", "HOME", "SWIFT_ROOT",
                    "TZ", "SWIFT_BACKTRACE",
                ].contains($0)
            }, "\(machine.environment)")
        var tells: [String: String] = [
            "host name": ProcessInfo.processInfo.hostName, "home": echo.escrow.home.path,
        ]
        tells["user's folder"] = NSHomeDirectory()
        for path in [
            "/etc/machine-id", "/etc/hostname", "/proc/sys/kernel/random/boot_id",
            "/sys/class/dmi/id/product_uuid",
        ] {
            tells[path] = try? String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(
                in: .whitespacesAndNewlines)
        }
        for folder in (try? FileManager.default.contentsOfDirectory(atPath: "/sys/class/net")) ?? []
        where folder != "lo" {
            tells["address of \(folder)"] = try? String(
                contentsOfFile: "/sys/class/net/\(folder)/address", encoding: .utf8
            ).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let home = try String(contentsOf: echo.escrow.home.appending(path: "home.json"), encoding: .utf8)
        tells["host key"] = home.firstMatch(of: /SHA256:[^"]+/).map { String($0.output) }
        #expect(tells["host key"] != nil)
        let seen = outcome.output.lowercased()
        // Words that are no name of one machine would be found by chance.
        for (what, value) in tells where value.count >= 6 && value != "localhost" {
            #expect(!seen.contains(value.lowercased()), "the plugin sees the \(what)")
        }
        #expect(!machine.uname[1].lowercased().contains(ProcessInfo.processInfo.hostName.lowercased()))
        // What names a run and its rows is new each time.
        func runID(_ outcome: Echo.Sight) -> String { outcome.hello.run }
        #expect(try runID(echo.see(Self.app)) != runID(echo.see(Self.app)))
    }
}
