import EscrowClient
import EscrowJSON
import Foundation
import Testing

/// What `SECURITY.md` says of the ways past the result: progress, log, failures and requests tell an app nothing.
@Suite struct ChannelTests {
    struct Answer: Decodable, Sendable {
        let n: Int
    }

    /// What an app is told of a failure, all of it.
    struct Failure: Hashable {
        let code: String
        let status: Int32
        let message: String
    }

    /// An app beside the home that has the rogue plugin.
    func app() async throws -> EscrowClient.Escrow {
        let home = try RogueTests.escrow.get().home.path
        return try await EscrowClient.Escrow.connect(
            app: "org.example.test", home: home, program: Escrow.program.path)
    }

    @Test func anAppHearsOfNoProgress() async throws {
        let heard = Heard()
        let app = try await app()
        let answer: Answer = try await app.run(
            compute: "rogue", arguments: ["mode": "progress"], progress: { heard.add($0) })
        await app.close()
        #expect(answer.n == 1)
        #expect(heard.all.isEmpty)
    }

    @Test func everyFailureSoundsTheSameToAnApp() async throws {
        let app = try await app()
        var failures: Set<Failure> = []
        for mode in [
            "crash", "bad-exit", "refuse", "socket", "late-socket", "second-result", "leak-line",
            "leak-result",
            "early-exit", "spin", "memory",
        ] {
            do {
                let _: Answer = try await app.run(compute: "rogue", arguments: ["mode": .string(mode)])
                Issue.record("mode \(mode) gave a result")
            } catch let error as EscrowError {
                failures.insert(Failure(code: error.code, status: error.status, message: error.message))
            }
        }
        await app.close()
        #expect(
            failures == [Failure(code: "E0543", status: 16, message: "the plugin gave no result")])
    }
}

/// Fractions that an app was told.
private final class Heard: @unchecked Sendable {
    private let lock = NSLock()
    private var fractions: [Double] = []

    var all: [Double] { lock.withLock { fractions } }
    func add(_ fraction: Double) { lock.withLock { fractions.append(fraction) } }
}
