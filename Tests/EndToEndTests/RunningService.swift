import Foundation
import TemporaryFolder
import Testing

/// `escrow serve` in a home of a test's, gone with this value.
final class RunningService: Sendable {
    let escrow: Escrow
    private nonisolated(unsafe) let process = Process()
    /// Short, since a socket's path has little room.
    let runtime: TemporaryFolder
    let socket: String

    /// `inSession` has it listen where a session's programs look for it, `runtime` being the session's folder.
    init(_ escrow: Escrow, with more: [String: String] = [:], inSession: Bool = false) throws {
        self.escrow = escrow
        runtime = try TemporaryFolder("svc", mode: 0o700)
        let folder = runtime.url.path + (inSession ? "/escrow" : "")
        socket = folder + "/service.sock"
        process.executableURL = Escrow.program
        process.arguments = ["serve", "--home", escrow.home.path, "--runtime", folder]
        process.environment = ProcessInfo.processInfo.environment.merging(more) { $1 }
        let words = Pipe()
        process.standardError = words
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // Its first words are that it listens.
        let said = String(decoding: words.fileHandleForReading.availableData, as: UTF8.self)
        try #require(said.hasPrefix("listening at "), "\(said)")
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    var identifier: Int32 { process.processIdentifier }

    /// What an HTTP client saw.
    struct Response {
        let status: Int
        let headers: String
        let body: String
        func json() throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any], "\(body)")
        }
    }

    /// Asks by the stock `curl`.
    func curl(_ path: String, _ arguments: String..., body: String? = nil) throws -> Response {
        var words =
            ["-s", "-i", "--max-time", "600", "--unix-socket", socket, "http://localhost" + path] + arguments
        if let body { words += ["-H", "Content-Type: application/json", "--data-binary", body] }
        let outcome = try Escrow.start(words, home: escrow.home, program: URL(filePath: "/usr/bin/curl"))
        let parts = outcome.output.components(separatedBy: "\r\n\r\n")
        let head = try #require(parts.first, "curl: \(outcome.words)")
        let status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
        return Response(
            status: status, headers: head, body: parts.dropFirst().joined(separator: "\r\n\r\n"))
    }

    /// Runs a command in the service's home, with its runtime folder.
    @discardableResult
    func run(_ arguments: String..., input: String? = nil) throws -> Escrow.Outcome {
        try Escrow.start(
            arguments, home: escrow.home, input: input,
            with: ["XDG_STATE_HOME": escrow.folder.path + "/state", "HOME": escrow.folder.path])
    }

    /// The same on a thread of its own: what the test began meanwhile needs the one that it has.
    static func comes(_ what: String, _ holds: @escaping @Sendable () throws -> Bool) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread { done.resume(with: Result { try eventually(what, holds) }) }
        }
    }

    /// Asks again and again, a minute at most, until something holds.
    static func eventually(_ what: String, _ holds: () throws -> Bool) throws {
        let end = Date(timeIntervalSinceNow: 60)
        while try !holds() {
            guard Date() < end else {
                Issue.record("never: \(what)")
                return
            }
            usleep(20_000)
        }
    }
}
