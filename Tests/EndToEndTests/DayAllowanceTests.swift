import Foundation
import Glibc
import Testing

/// What an app uses in a day is bounded also where its runs stand side by side.
@Suite struct DayAllowanceTests {
    private func start(_ escrow: Escrow, _ arguments: String...) throws -> Process {
        let process = Process()
        process.executableURL = Escrow.program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["ESCROW_HOME": escrow.home.path]) {
            $1
        }
        process.currentDirectoryURL = Escrow.root
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// The bytes of the one result that phone-check has.
    private func resultBytes(_ escrow: Escrow) throws -> Int {
        try #require(try escrow.entries("run-end").compactMap { $0["resultBytes"] as? Int }.first)
    }

    private static func atMost(_ bytes: Int) -> String {
        #"{"id": "day", "effect": "forbid", "when": {"bytesToday": {"atLeast": \#(bytes + 1)}}}"#
    }

    static let permit = #"{"id": "own", "effect": "permit", "prompt": "skip"}, "#

    @Test func runsAtOnceDoNotUseMoreThanTheDayHas() throws {
        let escrow = try PreferencesTests.escrow(Self.permit + Self.atMost(1 << 30))
        #expect(try escrow.run("run", "phone-check", "--app", "org.example.measure").status == 0)
        let each = try resultBytes(escrow)
        // Two and a half of them.
        let limit = each * 5 / 2
        try escrow.prefer(Self.permit + Self.atMost(limit))
        let runs = try (0..<6).map { _ in
            try start(escrow, "run", "phone-check", "--app", PreferencesTests.app)
        }
        for run in runs { run.waitUntilExit() }
        let codes = runs.map(\.terminationStatus)
        #expect(codes.contains(0) && codes.allSatisfy { [0, 10, 15].contains($0) }, "\(codes)")
        #expect(codes.filter { $0 == 0 }.count <= 2, "\(codes)")
        // One after the other what is left is used, and not a byte more leaves.
        for _ in 0..<3 { _ = try escrow.run("run", "phone-check", "--app", PreferencesTests.app) }
        let ends = try escrow.entries("run-end").compactMap { $0["resultBytes"] as? Int }
        #expect(ends == [each, each, each])
        let last = try escrow.run("run", "phone-check", "--app", PreferencesTests.app)
        #expect(last.status == 15 && last.output.isEmpty, "\(last.words)")
        #expect(last.words.contains("E1126") && last.words.contains("\(limit - 2 * each) bytes are left"))
        let plan = try escrow.run("run", "phone-check", "--app", PreferencesTests.app, "--dry-run").output
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(plan.contains("they leave it \(limit - 2 * each) bytes sent and returned of today"))
    }

    /// One that is under way counts as all that it may use; once it was killed, its processor time still does.
    @Test func aRunUnderWayHoldsWhatItMayUse() throws {
        let escrow = try RunLimitTests.prepare(nil)
        try escrow.prefer(
            #"{"id": "cpu", "effect": "require", "needs": {"cpuSecondsToday": {"atMost": 1}}, "missing": "refuse"}"#
        )
        let asleep = try start(
            escrow, "run", "hungry", "--app", "org.example.test", "--param", "mode=sleep")
        while asleep.isRunning, try escrow.entries("run-intent").isEmpty {}
        let intent = try #require(try escrow.entries("run-intent").first)
        #expect((intent["reserves"] as? [String: Any])?["cpuSeconds"] as? Int == 1)
        #expect((intent["reserves"] as? [String: Any])?["bytes"] as? Int == 64)
        let run = { try escrow.run("run", "hungry", "--app", "org.example.test", "--param", "mode=one") }
        let beside = try run()
        #expect(beside.status == 10)
        #expect(beside.words.contains("the processor time of today in seconds at most 1"))
        // Another app has a day of its own.
        try #require(
            try escrow.run("grant", "allow", "--app", "org.example.other", "--plugin", "hungry").status == 0)
        let other = try escrow.run(
            "run", "hungry", "--app", "org.example.other", "--param", "mode=one", "--sql",
            "SELECT asset, id FROM Photos LIMIT 5")
        #expect(other.status == 0, "\(other.words)")
        kill(asleep.processIdentifier, SIGKILL)
        asleep.waitUntilExit()
        #expect(try run().status == 10)
        #expect(try escrow.entries("run-interrupted").count == 1)
    }
}
