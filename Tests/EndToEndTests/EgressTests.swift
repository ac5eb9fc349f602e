import Foundation
import Testing

/// Requests to the network, from the plugin to the server and into the ledger.
@Suite(.timeLimit(.minutes(60))) struct EgressTests {
    /// A home with the sample places and the named sample plugin, allowed.
    func escrow(_ plugin: String) throws -> Escrow {
        let escrow = try Escrow()
        #expect(try escrow.run("source", "add", "location", "samples/tracks").status == 0)
        try escrow.allow(plugin)
        return escrow
    }

    /// A home with the plugin that asks as it is told.
    func caller(_ grant: String..., together: Bool = false) throws -> Escrow {
        let escrow = try Escrow(trusting: false)
        #expect(try escrow.run("source", "add", "location", "samples/tracks").status == 0)
        #expect(try escrow.run("key", "new", "tester").status == 0)
        let keys = try #require(
            try escrow.run("key", "list", "--format", "json").json()["keys"] as? [[String: Any]])
        let key = try #require(keys.first?["publicKey"] as? String)
        #expect(try escrow.run("trust", "add", "org.escrow.tests.*", key).status == 0)
        let source = escrow.folder.appending(path: "caller")
        try FileManager.default.copyItem(
            at: Escrow.root.appending(path: "Tests/EndToEndTests/Caller"), to: source)
        try FileManager.default.copyItem(
            at: Escrow.root.appending(path: "SDK/python/escrow_plugin.py"),
            to: source.appending(path: "escrow_plugin.py"))
        if together {
            let manifest = source.appending(path: "plugin.json")
            let text = try String(contentsOf: manifest, encoding: .utf8)
            let changed = text.replacingOccurrences(
                of: "\"maxCalls\": 3", with: "\"maxCalls\": 3, \"together\": true")
            try changed.write(to: manifest, atomically: false, encoding: .utf8)
        }
        let package = escrow.folder.appending(path: "caller.escrow").path
        let packed = try escrow.run("plugin", "pack", source.path, "--key", "tester", "--output", package)
        try #require(packed.status == 0, "\(packed.words)")
        #expect(try escrow.run("plugin", "install", package, "--yes").status == 0)
        let allowed = try Escrow.start(
            ["grant", "allow", "--app", "org.example.test", "--plugin", "caller"] + grant, home: escrow.home)
        try #require(allowed.status == 0, "\(allowed.words)")
        return escrow
    }

    func call(_ escrow: Escrow, _ calls: String) throws -> Escrow.Outcome {
        try escrow.run(
            "run", "caller", "--app", "org.example.test", "--param", "calls=\(calls)", "--format", "json")
    }

    /// What the ledger says was sent: digest and size of each request.
    func sent(_ escrow: Escrow) throws -> [(digest: String, bytes: Int)] {
        let list = try escrow.run("egress", "list", "--each", "--format", "json").json()
        let requests = try #require(list["requests"] as? [[String: Any]])
        return requests.compactMap { request in
            guard request["id"] is String, let record = request["request"] as? [String: Any],
                let digest = record["sha256"] as? String, let bytes = record["bytes"] as? Int
            else { return nil }
            return (digest, bytes)
        }
    }

    func digest(_ data: Data, in escrow: Escrow) throws -> String {
        let file = escrow.folder.appending(path: UUID().uuidString)
        try data.write(to: file)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["sha256sum", file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: text.prefix(64), as: UTF8.self)
    }

    @Test(arguments: [
        (
            "weather",
            #"{"condition":"Rain","temperature":5.9,"feelsLike":3.8,"humidity":87,"windSpeed":5.7}"#,
            "GET /data/2.5/weather?lat=60.393&lon=5.324&units=metric&appid=00000000000000000000000000000000"
        ),
        (
            "nearby-articles",
            #"[["Bergen Cathedral",1100005,326],["KODE Art Museums of Bergen",1100007,452],["Bryggen",1100001,501],["Grieg Hall",1100008,535],["Johanneskirken, Bergen",1100012,574],["Bergen railway station",1100006,587],["University Museum of Bergen",1100009,612],["St. Mary's Church, Bergen",1100003,670],["Bergenhus Fortress",1100004,802],["Fløyen",1100002,1075],["Sandviken Church",1100011,1312]]"#,
            "GET /w/api.php?action=query&list=geosearch&gscoord=60.393%7C5.324&gsradius=2000&gslimit=500&format=json"
        ),
    ])
    func theLedgerAndTheServerAgreeToTheByte(plugin: String, result: String, line: String) throws {
        let escrow = try escrow(plugin)
        // The nearest town, which has no noise that would be another in each home.
        #expect(try escrow.run("location", "rule", "add", "--tell", "city").status == 0)
        let server = try StandIn(for: escrow)
        let outcome = try escrow.run("run", plugin, "--app", "org.example.test", "--format", "json")
        #expect(outcome.status == 0, "\(outcome.words)")
        #expect(outcome.output == result + "\n")
        let received = try server.received()
        #expect(received.count == 1)
        let text = String(decoding: try #require(received.first), as: UTF8.self)
        #expect(text.hasPrefix(line + " HTTP/1.1\r\n"))
        let recorded = try sent(escrow)
        #expect(recorded.map(\.bytes) == received.map(\.count))
        #expect(try recorded.map(\.digest) == received.map { try digest($0, in: escrow) })
        #expect(try escrow.run("ledger", "verify").status == 0)
    }

    @Test func whatIsRefusedReachesThePluginAsACodeAndTheServerNotAtAll() throws {
        let escrow = try caller()
        let server = try StandIn(for: escrow)
        let outcome = try call(escrow, "range type extra missing other good good good good")
        #expect(
            outcome.output == """
                {"said":"egress-field-invalid egress-field-invalid egress-field-invalid egress-field-invalid \
                egress-undeclared 200 200 200 egress-budget"}

                """, "\(outcome.words)")
        #expect(try server.received().count == 3)
        let each = try escrow.run("egress", "list", "--each")
        #expect(each.output.components(separatedBy: "not sent: E0603").count == 5)
        #expect(each.output.contains("not sent: E0602"))
        #expect(each.output.contains("not sent: E0604"))
        // The name that the plugin wanted to send stands nowhere.
        #expect(
            !(try escrow.run("ledger", "list", "--last", "100", "--format", "json").output.contains("Quill")))
    }

    @Test func aPluginThatFailsAfterARefusalEndsWithStatus17() throws {
        let escrow = try caller()
        let server = try StandIn(for: escrow)
        let outcome = try call(escrow, "range fail")
        #expect(outcome.status == 17)
        #expect(
            outcome.words.contains(
                "[E0603]: the field lat of place is out of its declared bounds, so the request was not sent"),
            "\(outcome.words)")
        #expect(try server.received().isEmpty)
    }

    @Test func aBudgetOfADayHoldsAcrossRuns() throws {
        let escrow = try caller("--bytes-per-day", "450")
        let server = try StandIn(for: escrow)
        #expect(try call(escrow, "good good").output == "{\"said\":\"200 200\"}\n")
        #expect(try call(escrow, "good").output == "{\"said\":\"egress-budget\"}\n")
        #expect(try server.received().count == 2)
        // 2 bits at the start of the run, 40 for the first request, 33 for the next.
        let bits = try caller("--bits-per-day", "60")
        let other = try StandIn(for: bits)
        #expect(try call(bits, "good good").output == "{\"said\":\"200 egress-budget\"}\n")
        #expect(try other.received().count == 1)
    }

    @Test func aGrantTakenBackStopsTheNextRequestOfARunningPlugin() throws {
        let escrow = try caller()
        let server = try StandIn(for: escrow, stopAt: "request")
        let run = try Running(
            escrow, ["run", "caller", "--app", "org.example.test", "--param", "calls=good good"])
        try server.waitForStop()
        let grants = try #require(
            try escrow.run("grant", "list", "--format", "json").json()["grants"] as? [[String: Any]])
        let id = try #require(grants.first?["id"] as? String)
        #expect(try escrow.run("grant", "revoke", id).status == 0)
        try server.goOn()
        // The second request is not sent, and in the end the result is withheld as well.
        #expect(try run.output().isEmpty)
        #expect(try server.received().count == 1)
        #expect(try escrow.run("egress", "list", "--each").output.contains("not sent: E0605"))
    }

    @Test(arguments: ["connection", "request"])
    func aKilledHostHasRecordedWhateverTheServerSaw(place: String) throws {
        let escrow = try escrow("weather")
        let server = try StandIn(for: escrow, stopAt: place)
        let run = try Running(escrow, ["run", "weather", "--app", "org.example.test"])
        try server.waitForStop()
        run.kill()
        try server.goOn()
        #expect(try escrow.run("ledger", "verify").status == 0)
        let recorded = try sent(escrow)
        #expect(recorded.count == 1)
        let received = try server.received()
        #expect(received.count == (place == "request" ? 1 : 0))
        for request in received {
            let digest = try digest(request, in: escrow)
            #expect(recorded.contains { $0.digest == digest })
        }
        let each = try escrow.run("egress", "list", "--each")
        #expect(each.output.contains("sent; no end is recorded"))
        // The next run goes through.
        #expect(try escrow.run("run", "weather", "--app", "org.example.test").status == 0)
    }

    @Test func everyValueIsShownWithTheColumnsItCameFrom() throws {
        let escrow = try escrow("weather")
        let server = try StandIn(for: escrow)
        #expect(try escrow.run("run", "weather", "--app", "org.example.test").status == 0)
        let list = try escrow.run("egress", "list", "--format", "json").json()
        let endpoints = try #require(list["endpoints"] as? [[String: Any]])
        #expect(endpoints.count == 1)
        #expect(endpoints.first?["host"] as? String == "api.openweathermap.org")
        #expect(endpoints.first?["calls"] as? Int == 1)
        #expect(endpoints.first?["bytesSent"] as? Int == (try server.received().first?.count))
        let each = try escrow.run("egress", "list", "--each", "--format", "json").json()
        let id = try #require((each["requests"] as? [[String: Any]])?.first?["id"] as? String)
        let shown = try escrow.run("egress", "show", id)
        #expect(
            shown.output.contains("  lat = 60.393  (the latitude of your place, as escrow tells it: city)\n"),
            "\(shown.output)")
        #expect(shown.output.contains("  units = metric  (the same in every request)\n"))
        let archive = try escrow.run("egress", "export").json()
        let log = try #require(archive["log"] as? [String: Any])
        let entry = try #require((log["entries"] as? [[String: Any]])?.first)
        let request = try #require(entry["request"] as? [String: Any])
        #expect(
            request["url"] as? String
                == "https://api.openweathermap.org/data/2.5/weather?lat=60.393&lon=5.324&units=metric"
                + "&appid=00000000000000000000000000000000")
    }

    @Test func theSheetSaysWhatIsSentAndHowMuchItCanCarry() throws {
        let escrow = try escrow("weather")
        let sheet = try escrow.run("grant", "allow", "--app", "org.example.test", "--plugin", "weather").words
        let words = sheet.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            words.contains(
                """
                sends GET https://api.openweathermap.org/data/2.5/weather, it says to "fetch the weather where \
                you are"; at most 1 call and 23 bits a run, each on a connection of its own; with the town nearest to you, \
                which escrow fills in; with lat (the latitude of that place), lon (the longitude of that place), \
                units (always "metric"), appid (always "00000000000000000000000000000000") \
                capacity sends at most 23 bits a run to api.openweathermap.org; returns at most 43 bits to the app, and \
                6 bits more by when and whether it comes
                """), "\(words)")
    }
}

/// A command that is still running.
final class Running {
    private let process = Process()
    private let pipe = Pipe()

    init(_ escrow: Escrow, _ arguments: [String]) throws {
        process.executableURL = Escrow.program
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["ESCROW_HOME"] = escrow.home.path
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// kill -9, or another signal, and waits until it is gone.
    func kill(_ signal: Int32 = SIGKILL) {
        Foundation.kill(process.processIdentifier, signal)
        process.waitUntilExit()
    }

    /// All that it printed, once it has ended.
    func output() throws -> String {
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
