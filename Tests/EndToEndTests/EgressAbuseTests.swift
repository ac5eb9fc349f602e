import Foundation
import Testing

/// Ways round what egress promises, through the command line.
@Suite(.timeLimit(.minutes(60))) struct EgressAbuseTests {
    let egress = EgressTests()

    func weather(_ escrow: Escrow, in environment: [String]) throws -> Escrow.Outcome {
        try Escrow.start(
            environment + [Escrow.program.path, "run", "weather", "--app", "org.example.test"],
            home: escrow.home,
            program: URL(filePath: "/usr/bin/env"))
    }

    @Test func theEnvironmentChangesNeitherTheWayNorTheTrustNorTellsTheKeys() throws {
        let escrow = try egress.escrow("weather")
        let server = try StandIn(for: escrow)
        let keys = escrow.folder.appending(path: "keys").path
        let aliases = try escrow.write("aliases", "api evil.example\napi.openweathermap.org evil.example\n")
        // Nobody listens on the discard port.
        let proxy = "http://127.0.0.1:9/"
        let outcome = try weather(
            escrow,
            in: [
                "http_proxy=\(proxy)", "https_proxy=\(proxy)", "HTTP_PROXY=\(proxy)", "HTTPS_PROXY=\(proxy)",
                "all_proxy=\(proxy)", "ALL_PROXY=\(proxy)", "SOCKS_PROXY=\(proxy)", "no_proxy=",
                "SSL_CERT_FILE=/dev/null",
                "SSL_CERT_DIR=/nowhere", "SSLKEYLOGFILE=\(keys)", "RES_OPTIONS=ndots:15",
                "LOCALDOMAIN=evil.example",
                "HOSTALIASES=\(aliases)", "CURL_CA_BUNDLE=/dev/null", "REQUESTS_CA_BUNDLE=/dev/null",
            ])
        #expect(outcome.status == 0, "\(outcome.words)")
        #expect(!FileManager.default.fileExists(atPath: keys))
        #expect(try server.received().count == 1)
        // Nor does it bring in an authority that nobody configured.
        var configuration =
            try JSONSerialization.jsonObject(
                with: Data(contentsOf: escrow.home.appending(path: "config.json")))
            as? [String: [String: Any]] ?? [:]
        configuration["egress"]?["trustRoots"] = nil
        try JSONSerialization.data(withJSONObject: configuration)
            .write(to: escrow.home.appending(path: "config.json"))
        let pem = escrow.folder.appending(path: "stand-in.pem").path
        let untrusted = try weather(
            escrow, in: ["SSL_CERT_FILE=\(pem)", "SSL_CERT_DIR=\(escrow.folder.path)", "SSL_CERT=\(pem)"])
        #expect(untrusted.status == 17)
        #expect(
            untrusted.words.contains(
                "[E0608]: current-weather did not reach api.openweathermap.org: the certificate is not valid for this "
                    + "name"), "\(untrusted.words)")
        #expect(try server.received().count == 1)
    }

    @Test func runsAtTheSameTimeShareTheBudgetOfTheDay() throws {
        // 2 bits at the start of each run, 40 for its first request, 33 for the next: two requests in all, of whichever runs.
        let escrow = try egress.caller("--bits-per-day", "100")
        let server = try StandIn(for: escrow)
        let runs = try (0..<4).map { _ in
            try Running(escrow, ["run", "caller", "--app", "org.example.test", "--param", "calls=good good"])
        }
        let said = try runs.map { try $0.output() }.joined()
        #expect(said.components(separatedBy: "egress-budget").count - 1 == 6, "\(said)")
        #expect(try server.received().count == 2)
        #expect(try egress.sent(escrow).count == 2)
        #expect(try escrow.run("ledger", "verify").status == 0)
    }

    @Test(arguments: [
        (["allow", "--bits-per-day", "10"], "E0604"), (["deny"], "E0605"),
    ])
    func aGrantThatIsNarrowedHoldsForTheNextRequestOfARunningPlugin(words: [String], code: String) throws {
        let escrow = try egress.caller()
        let server = try StandIn(for: escrow, stopAt: "request")
        let run = try Running(
            escrow, ["run", "caller", "--app", "org.example.test", "--param", "calls=good good"])
        try server.waitForStop()
        let narrowed = try Escrow.start(
            ["grant", words[0], "--app", "org.example.test", "--plugin", "caller"] + words.dropFirst(),
            home: escrow.home)
        #expect(narrowed.status == 0, "\(narrowed.words)")
        try server.goOn()
        // Denied, the result is withheld, too.
        #expect(try run.output().isEmpty == (code == "E0605"))
        #expect(try server.received().count == 1)
        #expect(try escrow.run("egress", "list", "--each").output.contains("not sent: \(code)"))
    }

    /// Rules that come, or go, while the plugin runs. What it began with is a grant, or the rule itself.
    @Test(arguments: [
        (#"{"id": "no", "effect": "forbid", "when": {"endpoint": ["api.openweathermap.org"]}}"#, true),
        (
            #"{"id": "yes", "effect": "permit", "prompt": "skip", "when": {"app": ["org.example.other"]}}"#,
            false
        ),
    ])
    func aRuleHoldsForTheNextRequestOfARunningPlugin(rule: String, isGranted: Bool) throws {
        let escrow = try egress.caller()
        func write(_ rule: String) throws {
            try Data(#"{"escrow-preferences": 1, "rules": [\#(rule)]}"#.utf8)
                .write(to: escrow.home.appending(path: "preferences.json"))
        }
        if !isGranted {
            let grants = try #require(
                try escrow.run("grant", "list", "--format", "json").json()["grants"] as? [[String: Any]])
            #expect(
                try escrow.run("grant", "revoke", try #require(grants.first?["id"] as? String)).status == 0)
            try write(
                #"{"id": "yes", "effect": "permit", "prompt": "skip", "when": {"app": ["org.example.test"]}}"#
            )
        }
        let server = try StandIn(for: escrow, stopAt: "request")
        let run = try Running(
            escrow, ["run", "caller", "--app", "org.example.test", "--param", "calls=good good"])
        try server.waitForStop()
        try write(rule)
        try server.goOn()
        #expect(try run.output().isEmpty)
        #expect(try server.received().count == 1)
        #expect(try escrow.run("egress", "list", "--each").output.contains("not sent: E0605"))
    }

    @Test func aPluginThatAsksOnForWhatIsRefusedIsEnded() throws {
        let escrow = try egress.caller()
        let server = try StandIn(for: escrow)
        let outcome = try egress.call(escrow, "flood")
        #expect(outcome.status == 17)
        #expect(outcome.words.contains("[E0612]: the plugin asked 100 times for requests that were refused"))
        let each = try escrow.run("egress", "list", "--each", "--format", "json").json()
        #expect((each["requests"] as? [Any])?.count == 100)
        #expect(try server.received().isEmpty)
        let list = try escrow.run("egress", "list").output
        #expect(list.contains("(undeclared)"), "\(list)")
        let run = try #require((each["requests"] as? [[String: Any]])?.first?["run"] as? String)
        let shown = try escrow.run("egress", "show", run)
        #expect(shown.status == 0)
        #expect(
            shown.output.contains(
                "not sent: E0602\n  asked by   org.escrow.tests.caller for org.example.test\n"))
        #expect(
            shown.output.contains("  the plugin asked for an endpoint that its manifest does not declare\n"))
    }

    /// The members that http://www.softwareishard.com/blog/har-12-spec/ does not call optional.
    static let members: [String: [String]] = [
        "": ["startedDateTime", "time", "request", "response", "cache", "timings"],
        "request": [
            "method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize",
        ],
        "response": [
            "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL",
            "headersSize",
            "bodySize",
        ],
        "timings": ["send", "wait", "receive"],
    ]

    @Test func theArchiveIsWhatHARSays() throws {
        let escrow = try egress.caller()
        let empty = try escrow.run("egress", "export").json()
        #expect(((empty["log"] as? [String: Any])?["entries"] as? [Any])?.isEmpty == true)
        let server = try StandIn(for: escrow)
        #expect(try egress.call(escrow, "good range good").status == 0)
        let log = try #require(try escrow.run("egress", "export").json()["log"] as? [String: Any])
        #expect(log["version"] as? String == "1.2")
        #expect((log["creator"] as? [String: Any])?.keys.sorted() == ["name", "version"])
        let entries = try #require(log["entries"] as? [[String: Any]])
        #expect(entries.count == 2)
        for (entry, bytes) in zip(entries, try server.received()) {
            for (place, names) in Self.members {
                let object = place.isEmpty ? entry : try #require(entry[place] as? [String: Any])
                for name in names { #expect(object[name] != nil, "\(place).\(name)") }
            }
            let timings = try #require(entry["timings"] as? [String: Int])
            #expect(timings.values.allSatisfy { $0 >= 0 })
            #expect(entry["time"] as? Int == timings.values.reduce(0, +))
            #expect(entry["serverIPAddress"] as? String == "127.0.0.1")
            let request = try #require(entry["request"] as? [String: Any])
            #expect(request["headersSize"] as? Int == bytes.count)
            let items = try #require(request["queryString"] as? [[String: String]])
            #expect(items.map { $0["name"] } == ["lat", "lon", "appid"])
            let headers = try #require(request["headers"] as? [[String: String]])
            #expect(headers.first == ["name": "host", "value": "api.openweathermap.org"])
            let response = try #require(entry["response"] as? [String: Any])
            let content = try #require(response["content"] as? [String: Any])
            #expect((content["size"] as? Int).map { $0 > 100 } == true)
            #expect(content["mimeType"] as? String == "application/json")
        }
    }

    @Test func whoLooksUpWhatIsNotThereIsToldWhatIs() throws {
        let escrow = try Escrow()
        #expect(try escrow.run("egress", "list").words == "nothing was sent\n")
        #expect(try escrow.run("egress", "list", "--each").words == "nothing was sent\n")
        #expect(
            try escrow.run("egress", "list", "--format", "json").output.split(whereSeparator: \.isWhitespace)
                .joined()
                == #"{"endpoints":[]}"#)
        for id in ["r-7f3a.1", "", "../..", "\u{1B}[2J"] {
            let unknown = try escrow.run("egress", "show", id)
            #expect(unknown.status == 64, "\(unknown.words)")
            #expect(unknown.words.contains("[E1012]: the ledger has no such request"))
            #expect(unknown.words.contains("help: escrow egress list --each"))
            #expect(!unknown.words.contains("\u{1B}"))
        }
    }

    @Test(arguments: [
        (#"{"egress": {"standIn": {}}}"#, "E0018"), (#"{"egress": []}"#, "E0018"),
        (#"{"egress": {"standIns": {"a.example": {"port": 0}}}}"#, "E0018"),
        (#"{"egress": {"standIns": {"a.example": {"port": 65536}}}}"#, "E0018"),
        (#"{"egress": {"standIns": {"a.example": {}}}}"#, "E0018"),
        (#"{"egress": {"standIns": {"a.example": {"port": 1, "plain": "yes"}}}}"#, "E0018"),
        (#"{"egress": {"standIns": {"a.example": {"port": 1}, "a.example": {"port": 2}}}}"#, "E0018"),
        (#"{"egress": {"trustRoots": "/nowhere/ca.pem"}}"#, "E0611"),
        (#"{"egress": {"trustRoots": "/etc/hostname"}}"#, "E0611"),
    ])
    func aConfigurationThatIsNotUnderstoodSendsNothing(text: String, code: String) throws {
        let escrow = try egress.escrow("weather")
        try Data(text.utf8).write(to: escrow.home.appending(path: "config.json"))
        let outcome = try escrow.run("run", "weather", "--app", "org.example.test")
        #expect(outcome.status != 0)
        #expect(outcome.words.contains("[\(code)]"), "\(outcome.words)")
        #expect(outcome.words.contains("help: "))
        try FileManager.default.removeItem(at: escrow.home.appending(path: "config.json"))
        #expect(try egress.sent(escrow).isEmpty)
    }
}
