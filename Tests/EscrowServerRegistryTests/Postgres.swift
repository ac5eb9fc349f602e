import Foundation
import TemporaryFolder
import Testing

/// A PostgreSQL server of the test's own, on a socket in a folder.
final class Postgres: @unchecked Sendable {
    private let scratch: TemporaryFolder
    private let process = Process()
    private let input = Pipe()
    private var folder: String { "/tmp/escrow-pg-\(scratch.url.lastPathComponent)" }

    /// libpq's words for it.
    var words: String { "host=\(folder) user=escrow dbname=escrow" }

    /// Whether this machine has one.
    static let isHere =
        ((try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []).isEmpty == false

    init() throws {
        scratch = try TemporaryFolder("registry")
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Support/postgres.sh")
        process.executableURL = script
        process.arguments = [folder]
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let line = String(
            decoding: try output.fileHandleForReading.read(upToCount: 6) ?? Data(), as: UTF8.self)
        try #require(line == "ready\n", "\(line)")
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
    }

    /// Ends every connection that is open now, as a restart of the server would.
    func dropConnections() throws {
        let psql = Process()
        psql.executableURL = URL(filePath: "/usr/bin/env")
        psql.arguments = [
            "psql", "-q", "-h", folder, "-U", "escrow", "-c",
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name='escrow-server'",
        ]
        psql.standardOutput = FileHandle.nullDevice
        try psql.run()
        psql.waitUntilExit()
        try #require(psql.terminationStatus == 0)
    }
}
