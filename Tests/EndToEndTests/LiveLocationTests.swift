import EscrowClient
import Foundation
import Testing

/// Mechanisms of the individual's own, places found in their track, and live location, from the command line to the bytes that a server gets.
@Suite(.timeLimit(.minutes(60))) struct LiveLocationTests {
    let location = LocationTests()

    @Test func aMechanismOfOnesOwnMasksAndSpendsOnlyForNewAnswers() throws {
        let escrow = try location.egress.escrow("nearby-articles")
        let server = try StandIn(for: escrow)
        _ = try location.lines("nearby-articles", escrow, server)
        let mask = "planar-laplace(0.001)"
        #expect(
            try escrow.run(
                "location", "rule", "add", "--tell", mask, "--service", "nearby", "--budget", "0.0015"
            )
            .status == 0)
        let first = try location.lines("nearby-articles", escrow, server)
        // One answer in two thousand is written as the one before it: which mask each had is told below.
        #expect(first.count == 1)
        // The same place is the same answer, and costs nothing.
        #expect(try location.lines("nearby-articles", escrow, server) == first)
        let budget = try escrow.run("location", "budget", "--format", "json").json()
        let row = try #require((budget["spent"] as? [[String: Any]])?.first)
        #expect(row["mask"] as? String == mask && row["app"] as? String == "org.example.test")
        #expect(row["spent"] as? Double == 0.001 && row["budget"] as? Double == 0.0015)
        let list = try escrow.run("egress", "list", "--each", "--format", "json").json()
        let told = try #require(list["requests"] as? [[String: Any]]).compactMap {
            (($0["request"] as? [String: Any])?["place"] as? [String: Any])?["tells"] as? String
        }
        #expect(told == ["neighbourhood", mask, mask])
        // Other noise is not a new budget: a new answer is more than what is left of the day.
        #expect(try escrow.run("location", "reset").status == 0)
        let spent = try escrow.run("run", "nearby-articles", "--app", "org.example.test")
        #expect(spent.status == 17 && spent.words.contains("[E0616]"), "\(spent.words)")
        #expect(try server.received().count == 3)
        let changes = try escrow.entries("location-changed").compactMap {
            $0["change"] as? String
        }
        #expect(changes == ["rule-added", "noise-reset"])
        for wrong in [
            ["--tell", "grid(1000)", "--budget", "1"], ["--tell", "aggregate(street)"],
            ["--tell", mask, "--budget", "0"],
        ] {
            let outcome = try Escrow.start(["location", "rule", "add"] + wrong, home: escrow.home)
            #expect(outcome.status == 64 && outcome.words.contains("[E1181]"), "\(outcome.words)")
        }
    }

    @Test func sensitivePlacesAreFoundAndGetARuleOnlyByTheirSay() throws {
        let escrow = try Escrow(trusting: false)
        var points = ""
        for hour in 0..<(24 * 7) {
            let isWork = (9..<17).contains(hour % 24) && hour / 24 < 5
            let day = String(format: "2026-03-%02dT%02d:", 2 + hour / 24, hour % 24)
            for minute in [0, 20, 40] {
                points +=
                    "<trkpt lat='\(isWork ? 60.40 : 60.37)' lon='5.3'><time>\(day)\(String(format: "%02d", minute)):00Z</time></trkpt>\n"
            }
        }
        let track = try escrow.write(
            "week.gpx",
            "<gpx version='1.1' xmlns='http://www.topografix.com/GPX/1/1'><trk><trkseg>\(points)</trkseg></trk></gpx>"
        )
        #expect(try escrow.run("source", "add", "location", track).status == 0)
        let found = try escrow.run("location", "rule", "suggest", "--format", "json").json()
        let places = try #require(found["places"] as? [[String: Any]])
        #expect(places.map { $0["kind"] as? String } == ["home", "work"], "\(places)")
        #expect(
            try escrow.run("location", "rule", "list").words.hasPrefix("no rules"), "nothing was said yet")
        let added = try escrow.run("location", "rule", "suggest", "--add", "1", "--tell", "none")
        #expect(added.status == 0 && added.words.contains("your home"), "\(added.words)")
        let rules = try #require(
            try escrow.run("location", "rule", "list", "--format", "json").json()["rules"] as? [[String: Any]]
        )
        #expect(rules.count == 1 && rules[0]["tell"] as? String == "none")
        #expect(
            ((rules[0]["near"] as? [String: Any])?["latitude"] as? Double).map {
                ($0 - 60.37).magnitude < 1e-4
            } == true)
        // What the ledger keeps says that it is about a place, and not which.
        let entry = try #require(try escrow.entries("location-changed").first)
        let rule = try #require(entry["rule"] as? [String: Any])
        #expect(rule["near"] as? Bool == true)
        let left = try escrow.run("location", "rule", "suggest", "--format", "json").json()
        #expect((left["places"] as? [[String: Any]])?.map { $0["kind"] as? String } == ["work"])
        let audit = try escrow.run(
            "location", "audit", "--tell", "neighbourhood", "--apps", "3", "--format", "json"
        ).json()
        let findings = try #require(audit["findings"] as? [[String: Any]])
        #expect(
            findings.count == 4
                && findings.allSatisfy { $0["day"] is [String: Any] && $0["intersection"] is [String: Any] })
    }

    private struct Weather: Decodable, Sendable { let temperature: Double }

    @Test func aPluginRunsForEachUpdateUnderItsGrant() async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/gpsfake"),
            FileManager.default.isExecutableFile(atPath: "/usr/sbin/gpsd")
        else { return print("SKIP: gpsd and gpsfake are not installed") }
        let escrow = try Escrow()
        try escrow.allow("weather")
        let server = try StandIn(for: escrow)
        func sentence(_ text: String) -> String {
            "$\(text)*\(String(format: "%02X", text.utf8.reduce(0 as UInt8, ^)))\r\n"
        }
        let log = try escrow.write(
            "ride.nmea",
            (0..<200).map { number in
                let time = String(format: "12%02d%02d.00", number / 60, number % 60)
                let place = String(format: "60%08.5f,N,00519.20000,E", 3.0 + Double(number) * 0.1)
                return sentence("GPGGA,\(time),\(place),1,08,0.9,25.0,M,46.9,M,,")
                    + sentence("GPGSA,A,3,04,05,09,12,24,25,29,31,,,,,1.8,0.9,1.5")
                    + sentence("GPRMC,\(time),A,\(place),300.0,0.0,010326,,,A")
            }.joined())
        let port = "\(try OffloadServer.freePort())"
        let fake = Process()
        fake.executableURL = URL(filePath: "/usr/bin/gpsfake")
        fake.arguments = ["-n", "-c", "0.1", "-P", port, log]
        fake.currentDirectoryURL = escrow.folder
        for stream in [\Process.standardOutput, \Process.standardError] {
            fake[keyPath: stream] = FileHandle.nullDevice
        }
        fake.standardInput = FileHandle.nullDevice
        try fake.run()
        defer {
            // Not SIGINT: a test runner may have it blocked, and a child inherits that. gpsd is gpsfake's child.
            let children = "/proc/\(fake.processIdentifier)/task/\(fake.processIdentifier)/children"
            let gpsd = (try? String(contentsOfFile: children, encoding: .utf8)) ?? ""
            for number in gpsd.split(separator: " ").compactMap({ Int32($0) }) { kill(number, SIGKILL) }
            kill(fake.processIdentifier, SIGKILL)
            fake.waitUntilExit()
        }
        func follow(_ more: String...) throws -> Escrow.Outcome {
            try Escrow.start(
                ["location", "follow", "--port", port, "--app", "org.example.test", "--run", "weather"]
                    + more,
                home: escrow.home)
        }
        let undecided = try follow("--updates", "1")
        #expect(undecided.status == 11 && undecided.words.contains("[E1372]"), "\(undecided.words)")
        #expect(
            try escrow.run("location", "live", "allow", "always", "--app", "org.example.test").status == 0)
        var outcome = try follow("--updates", "3", "--accuracy", "neighbourhood", "--format", "json")
        for _ in 0..<240 where outcome.status == 18 {
            // gpsd is not ready yet.
            usleep(500_000)
            outcome = try follow("--updates", "3", "--accuracy", "neighbourhood", "--format", "json")
        }
        #expect(outcome.status == 0, "\(outcome.words)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.contains("\"result\"") }, "\(outcome.everything)")
        #expect(try server.received().count == 3)
        #expect(!outcome.output.contains("60.0"), "the app is told the result, and no place")
        let live = try escrow.run("location", "live", "--format", "json").json()
        let follows = try #require(live["follows"] as? [[String: Any]])
        #expect(
            follows.count == 1 && follows[0]["updates"] as? Int == 3 && follows[0]["now"] as? Bool == false)
        // An app of its own: a result for each update, from the same server under the same grant, until it listens no more.
        let file = escrow.home.appending(path: "config.json")
        var configuration = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        configuration["live"] = ["gpsdPort": Int(port)]
        try JSONSerialization.data(withJSONObject: configuration).write(to: file)
        let request = LocationPrivacyRequest.create(
            server: "api.openweathermap.org", type: .weather, through: "weather")
        func first(_ app: EscrowClient.Escrow) async throws -> Double? {
            for try await answer in request.updates(by: app, as: Weather.self) { return answer.temperature }
            return nil
        }
        let app = try await EscrowClient.Escrow.connect(
            app: "org.example.test", home: escrow.home.path, program: Escrow.program.path)
        #expect(try await first(app) != nil)
        await app.close()
        // The same where the individual's service runs; who listens no more follows no more.
        let service = try RunningService(escrow)
        #expect(
            try await first(
                try await EscrowClient.Escrow.connect(app: "org.example.test", socket: service.socket)) != nil
        )
        func isLive() throws -> Bool {
            let live = try escrow.run("location", "live", "--format", "json").json()
            return (live["follows"] as? [[String: Any]])?.contains { $0["now"] as? Bool == true } == true
        }
        while try isLive() { await Task.yield() }
        #expect(try server.received().count >= 5)
        #expect(try escrow.run("location", "live", "allow", "never", "--app", "org.example.test").status == 0)
        let never = try follow("--updates", "1")
        #expect(never.status == 10 && never.words.contains("[E1371]"), "\(never.words)")
        let changes = try escrow.entries("location-changed").compactMap {
            $0["change"] as? String
        }
        #expect(
            changes == [
                "live-decided", "live-began", "live-ended", "live-began", "live-ended", "live-began",
                "live-ended",
                "live-decided",
            ])
    }
}
