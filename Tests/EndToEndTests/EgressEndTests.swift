import Foundation
import Testing

/// A run that ends while a server holds its request: the individual and the app end both at once, a plugin only itself; and
/// the ledger says how the request ended.
@Suite(.timeLimit(.minutes(60))) struct EgressEndTests {
    /// A home with the weather plugin, and its server, which says nothing from there on.
    func prepare(stopAt place: String = "request") throws -> (Escrow, StandIn) {
        let escrow = try EgressTests().escrow("weather")
        return (escrow, try StandIn(for: escrow, stopAt: place))
    }

    /// Expects one request in the ledger that the end of the run ended, unless its end was of its own.
    func expectEnd(
        _ escrow: Escrow, run code: String,
        because reason: String = "the run ended before the answer was whole"
    ) throws {
        #expect(try escrow.run("ledger", "verify").status == 0)
        let list = try escrow.run("egress", "list", "--each", "--format", "json").json()
        let requests = try #require(list["requests"] as? [[String: Any]])
        #expect(requests.count == 1)
        let end = try #require(requests.first?["end"] as? [String: Any])
        #expect(end["code"] as? String == "E0608")
        #expect(
            end["reason"] as? String
                == "current-weather was sent to api.openweathermap.org, but \(reason)"
        )
        let last = try escrow.run("ledger", "list", "--last", "1", "--format", "json").json()
        let entry = try #require((last["entries"] as? [[String: Any]])?.first)
        #expect(entry["kind"] as? String == "run-end")
        #expect((entry["fields"] as? [String: Any])?["code"] as? String == code)
    }

    @Test(arguments: ["connection", "request"]) func controlCEndsIt(place: String) throws {
        let (escrow, server) = try prepare(stopAt: place)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "--default-signal", Escrow.program.path, "run", "weather", "--app", "org.example.test",
        ]
        var environment = ProcessInfo.processInfo.environment
        environment["ESCROW_HOME"] = escrow.home.path
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try server.waitForStop()
        kill(process.processIdentifier, SIGINT)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
        try expectEnd(escrow, run: "E0542")
        try server.goOn()
    }

    @Test func anAppsCancelEndsIt() throws {
        let (escrow, server) = try prepare()
        let process = Process()
        process.executableURL = Escrow.program
        process.arguments = ["host", "--stdio"]
        var environment = ProcessInfo.processInfo.environment
        environment["ESCROW_HOME"] = escrow.home.path
        process.environment = environment
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        func say(_ line: String) throws {
            try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        }
        try say(#"{"id":1,"run":{"app":"org.example.test","compute":"weather"}}"#)
        try server.waitForStop()
        try say(#"{"id":2,"cancel":1}"#)
        // The answer comes while the host is still served: nothing but the cancel ended the run.
        var told = ""
        while !told.contains(#""id":1"#) {
            let piece = output.fileHandleForReading.availableData
            try #require(!piece.isEmpty)
            told += String(decoding: piece, as: UTF8.self)
        }
        #expect(told.contains("E1005"), "\(told)")
        try expectEnd(escrow, run: "E0542")
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        try server.goOn()
    }

    /// A plugin that could break its request off by its own end would tell the server one more thing.
    @Test func thePluginsEndDoesNotEndIt() throws {
        let (escrow, server) = try prepare()
        let file = escrow.home.appending(path: "config.json")
        var configuration = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        // Time for the request to come to the server; and less than a server has to answer, which is 15 s.
        configuration["limits"] = ["wallSeconds": 10]
        try JSONSerialization.data(withJSONObject: configuration).write(to: file)
        let outcome = try escrow.run("run", "weather", "--app", "org.example.test")
        // Else nothing would ever stop there.
        try #require(try server.received().count == 1, "\(outcome.words)")
        try server.waitForStop()
        #expect(outcome.status == 15)
        #expect(
            outcome.words.contains(
                "error[E0530]: weather 2.0.0 was stopped: it reached its limit of 10 s of time"),
            "\(outcome.words)")
        try expectEnd(escrow, run: "E0530", because: "the answer stopped within the time to read it")
        try server.goOn()
    }
}
