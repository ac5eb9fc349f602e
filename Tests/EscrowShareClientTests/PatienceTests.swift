import Foundation
import ShareServers
import TemporaryFolder
import Testing

@testable import EscrowShareClient

@Suite("Patience with share servers") struct PatienceTests {
    /// Somebody with a server's key who takes requests and answers none.
    final class Silent {
        let address: String
        private let process = Process()
        private let input = Pipe()
        /// Whose key it is.
        private let twin: ShareServer

        init() throws {
            twin = try ShareServer()
            let output = Pipe()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [
                "openssl", "s_server", "-accept", "127.0.0.1:0", "-key", twin.folder.path + "/key.pem",
                "-cert", twin.folder.path + "/certificate.pem",
            ]
            // It ends when its input does.
            process.standardInput = input
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            var line = ""
            while !line.hasPrefix("ACCEPT") || !line.hasSuffix("\n") {
                if line.hasSuffix("\n") { line = "" }
                guard let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else {
                    break
                }
                line += String(decoding: byte, as: UTF8.self)
            }
            let port = line.split(separator: ":").last?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
            address = "https://127.0.0.1:\(port)#" + (twin.address.split(separator: "#").last ?? "")
        }

        deinit {
            process.terminate()
            process.waitUntilExit()
        }
    }

    @Test func aServerThatIsSlowIsNotWaitedForOnceEnoughAnswered() throws {
        let servers = try (0..<2).map { _ in try ShareServer() }
        let silent = try Silent()
        let addresses = try (servers.map(\.address) + [silent.address]).map {
            try #require(ServerAddress($0))
        }
        let client = try #require(Client(patience: 120))
        let calls = addresses.map { Call($0, "GET", "/groups/g/shares") }
        let start = ContinuousClock.now
        let answers = client.make(
            calls, patience: Patience(enough: 2, grace: .seconds(3), until: start + .seconds(100)))
        let refused = Call.Outcome.answered(status: 401, body: [])
        #expect(answers.outcomes == [refused, refused, .unreachable])
        #expect(answers.slow == [addresses[2]])
        #expect(ContinuousClock.now - start < .seconds(90))
        // Where it is needed it is waited for until the end; and the client goes on with the others after.
        let needed = client.make(
            calls, patience: Patience(enough: 3, until: ContinuousClock.now + .seconds(5)))
        #expect(needed.outcomes == [refused, refused, .unreachable] && needed.slow == [addresses[2]])
        #expect(client.make(Array(calls.prefix(2))) == [refused, refused])
    }

    /// One that nobody could reach is not called slow.
    @Test func aServerThatIsGoneIsUnreachable() throws {
        let (server, gone) = (try ShareServer(), try ShareServer())
        gone.kill()
        let addresses = try [server, gone].map { try #require(ServerAddress($0.address)) }
        let answers = try #require(Client()).make(
            addresses.map { Call($0, "GET", "/groups/g/shares") },
            patience: Patience(enough: 2, until: .now + .seconds(60)))
        #expect(answers.outcomes == [.answered(status: 401, body: []), .unreachable])
        #expect(answers.slow.isEmpty)
    }
}
