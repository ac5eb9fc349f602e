import Foundation
import Glibc
import Testing

/// What counts as a use of a decision, and what a change of it that comes at the last moment does.
@Suite struct UseCountTests {
    static let app = "org.example.one"

    private func grant(_ echo: Echo) throws -> [String: Any] {
        let list = try echo.escrow.run("grant", "list", "--format", "json").json()
        return try #require((list["grants"] as? [[String: Any]])?.first)
    }

    /// Each request of an app for a run is one use; to ask where it stands is none.
    @Test func eachRequestOfAnAppIsOneUse() throws {
        let echo = try Echo()
        try #require(try echo.install().status == 0)
        try echo.allow(Self.app, "echo", ["--runs", "2"])
        let process = Process()
        process.executableURL = Escrow.program
        process.arguments = ["host", "--stdio"]
        process.environment = ProcessInfo.processInfo.environment.merging([
            "ESCROW_HOME": echo.escrow.home.path
        ]) { $1 }
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        func ask(_ verb: String, _ ids: ClosedRange<Int>) throws {
            let lines = ids.map {
                #"{"id":\#($0),"\#(verb)":{"app":"\#(Self.app)","compute":"echo"}}"# + "\n"
            }
            try input.fileHandleForWriting.write(contentsOf: Data(lines.joined().utf8))
            while !ids.allSatisfy({ text.contains("{\"id\":\($0),") }) || !text.hasSuffix("\n") {
                let piece = output.fileHandleForReading.availableData
                try #require(!piece.isEmpty, "the host ended: \(text)")
                text += String(decoding: piece, as: UTF8.self)
            }
        }
        try ask("status", 1...3)
        #expect(text.components(separatedBy: "authorized").count == 4, "\(text)")
        #expect(try grant(echo)["useCount"] as? Int == 0)
        // Four at once: two have a use, and two find none left.
        try ask("run", 4...7)
        #expect(text.components(separatedBy: ",\"result\":").count - 1 == 2, "\(text)")
        #expect(text.components(separatedBy: "\"code\":\"E0702\"").count - 1 == 2, "\(text)")
        try ask("status", 8...8)
        #expect(text.contains("notDetermined"))
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(try grant(echo)["useCount"] as? Int == 2)
        #expect(try echo.escrow.entries("run-intent").count == 2)
    }

    /// A decision that is taken back after the last look at it finds the record that the result leaves; it never comes
    /// between the two.
    @Test func aRevocationNeverComesBetweenTheLastLookAndTheRecord() throws {
        let echo = try Echo()
        try #require(try echo.install().status == 0)
        for _ in 0..<200 {
            try echo.allow(Self.app)
            let id = try #require(try grant(echo)["id"] as? String)
            guard try catchAtItsEnd(echo, revoking: id) else { continue }
            let list = try echo.escrow.run("ledger", "list", "--last", "1000", "--format", "json").json()
            let entries = try #require(list["entries"] as? [[String: Any]])
            func last(_ kind: String) throws -> [String: Any] {
                try #require(entries.last { $0["kind"] as? String == kind })
            }
            let (end, change) = (try last("run-end"), try last("grant-changed"))
            #expect((end["fields"] as? [String: Any])?["outcome"] as? String == "returned")
            #expect((change["fields"] as? [String: Any])?["action"] as? String == "revoked")
            let order = try [end, change].map { try #require($0["sequence"] as? Int) }
            #expect(order[0] < order[1], "\(order)")
            #expect(try echo.run(Self.app).status == 11)
            return
        }
        Issue.record("no run was caught between its last look and its record")
    }

    private func start(_ echo: Echo, _ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = Escrow.program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging([
            "ESCROW_HOME": echo.escrow.home.path
        ]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Runs, and keeps the ledger from being written to once the run has begun: it then stops where it has looked at the
    /// decision and is about to record its end. A revocation comes there. False where the run was too quick to be caught.
    private func catchAtItsEnd(_ echo: Echo, revoking id: String) throws -> Bool {
        let home = echo.escrow.home
        let begun = try echo.escrow.entries("run-intent").count
        let run = try start(echo, ["run", "echo", "--app", Self.app])
        let log = home.appending(path: "ledger/log.1")
        func intents() -> Int {
            let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            return text.components(separatedBy: "\"kind\":\"run-intent\"").count - 1
        }
        while run.isRunning, intents() <= begun {}
        let ledger = open(home.appending(path: "ledger/lock").path, O_RDWR | O_CLOEXEC)
        try #require(ledger >= 0)
        defer { close(ledger) }
        guard flock(ledger, LOCK_EX) == 0 else { return false }
        // Shared by the run from its last look on: then nobody else can have it alone.
        let grants = open(home.appending(path: "grants.lock").path, O_RDWR | O_CLOEXEC)
        try #require(grants >= 0)
        defer { close(grants) }
        while run.isRunning, flock(grants, LOCK_EX | LOCK_NB) == 0 { flock(grants, LOCK_UN) }
        let isCaught = run.isRunning
        let revoke = isCaught ? try start(echo, ["grant", "revoke", id]) : nil
        flock(ledger, LOCK_UN)
        run.waitUntilExit()
        revoke?.waitUntilExit()
        if isCaught { #expect(run.terminationStatus == 0 && revoke?.terminationStatus == 0) }
        return isCaught
    }
}
