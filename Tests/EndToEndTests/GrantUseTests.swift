import Foundation
import Testing

/// A decision for so many runs: never one run more, by several processes at once and after kill -9.
@Suite(.timeLimit(.minutes(60))) struct GrantUseTests {
    static let app = "org.example.test"

    /// A home in which phone-check is allowed for so many runs.
    private func home(runs: Int) throws -> Escrow {
        let escrow = try Escrow.withPhoneCheck(for: Self.app)
        let limited = try escrow.run(
            "grant", "allow", "--app", Self.app, "--plugin", "phone-check", "--runs", String(runs))
        try #require(limited.status == 0, "\(limited.words)")
        // What is allowed for good lies beneath it.
        let list = try escrow.run("grant", "list", "--format", "json").json()
        for grant in try #require(list["grants"] as? [[String: Any]])
        where grant["scope"] as? String != "uses" {
            try #require(try escrow.run("grant", "revoke", try #require(grant["id"] as? String)).status == 0)
        }
        return escrow
    }

    /// How many runs the ledger says have begun.
    private func begun(_ escrow: Escrow) throws -> Int {
        let list = try escrow.run("ledger", "list", "--last", "1000", "--format", "json").json()
        let entries = try #require(list["entries"] as? [[String: Any]])
        return entries.filter { $0["kind"] as? String == "run-intent" }.count
    }

    @Test func processesAtOnceShareNoUse() async throws {
        let escrow = try home(runs: 3)
        let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
            for _ in 0..<6 {
                group.addTask { try escrow.run("run", "phone-check", "--app", Self.app).status }
            }
            return try await group.reduce(into: [Int32]()) { $0.append($1) }
        }
        #expect(statuses.sorted() == [0, 0, 0, 11, 11, 11])
        #expect(try begun(escrow) == 3)
    }

    @Test(arguments: ["pwrite64", "fsync", "ftruncate", "rename", "flock"])
    func aKilledRunLeavesNoUseMore(call: String) throws {
        guard CrashTests.canTrace else {
            print("SKIP: strace is missing or may not trace here")
            return
        }
        let runs = 4
        let escrow = try home(runs: runs)
        let command = [Escrow.program.path, "run", "phone-check", "--app", Self.app]
        var killed = 0
        // Each run is killed at a later call, until one goes through or nothing is left to use.
        for step in 1... {
            let status = try CrashTests.trace(
                ["-e", "trace=\(call)", "-e", "inject=\(call):signal=KILL:when=\(step)"], command,
                home: escrow.home)
            guard status == 128 + SIGKILL else {
                #expect(status == 0 || status == 11)
                break
            }
            killed += 1
        }
        var whole = 0
        while try escrow.run("run", "phone-check", "--app", Self.app).status == 0 {
            whole += 1
            try #require(whole <= runs)
        }
        #expect(try begun(escrow) <= runs)
        #expect(try escrow.run("ledger", "verify").status == 0)
        print("\(call): killed \(killed) times, then \(whole) runs went through")
    }
}
