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

    @Test func anAppHearsOfNoProgress() throws {
        let process = Process()
        process.executableURL = Escrow.program
        process.arguments = ["host", "--stdio"]
        process.environment = ProcessInfo.processInfo.environment.merging([
            "ESCROW_HOME": try RogueTests.escrow.get().home.path
        ]) { $1 }
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // Two, one after the other: what came behind the first result would come before the second. The end of the output is
        // not waited for, since other processes of the tests may have inherited the host's input.
        var text = ""
        for id in 1...2 {
            let request =
                #"{"id":\#(id),"run":{"app":"org.example.test","compute":"rogue","arguments":{"mode":"progress"}}}"#
            try input.fileHandleForWriting.write(contentsOf: Data((request + "\n").utf8))
            while text.count(where: { $0 == "\n" }) < id + 1 {
                let piece = output.fileHandleForReading.availableData
                try #require(!piece.isEmpty, "the host ended: \(text)")
                text += String(decoding: piece, as: UTF8.self)
            }
        }
        process.terminate()
        process.waitUntilExit()
        // A greeting and the results, and nothing between them.
        let lines = text.split(separator: "\n")
        #expect(lines.count == 3 && lines[1...].allSatisfy { $0.contains("\"result\"") }, "\(text)")
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
