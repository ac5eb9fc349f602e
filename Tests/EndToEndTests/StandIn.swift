import Foundation
import Glibc
import Testing

/// samples/stand-in/server.py, running for one test, and the home's names lead to it.
final class StandIn {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let folder: URL

    /// Starts it, and gives the home its configuration.
    init(for escrow: Escrow, stopAt place: String? = nil) throws {
        folder = escrow.folder
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["python3", Escrow.root.appending(path: "samples/stand-in/server.py").path, folder.path]
            + (place.map { ["--stop-at", $0] } ?? [])
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        #expect(try line().hasPrefix("listening "))
        try FileManager.default.copyItem(
            at: folder.appending(path: "config.json"), to: escrow.home.appending(path: "config.json"))
    }

    deinit {
        // Not by the end of its input: a host that a test still holds may have inherited the other end of that pipe.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits until the server holds a connection or a request.
    func waitForStop() throws { #expect(try line() == "stopped") }

    /// Lets what is held go on.
    func goOn() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

    /// All requests that came, byte for byte.
    func received() throws -> [Data] {
        try String(contentsOf: folder.appending(path: "received.log"), encoding: .utf8)
            .split(separator: "\n").compactMap { Data(base64Encoded: String($0)) }
    }

    private func line() throws -> String {
        var bytes = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
            bytes += byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
