import Foundation
import TemporaryFolder
import Testing

/// A script of `Tests/Support` that listens in a runtime folder of its own, and says so; it ends with this value.
final class ListeningScript {
    let runtime: TemporaryFolder
    private let process = Process()

    /// The environment of a session that has this folder.
    var session: [String: String] { ["XDG_RUNTIME_DIR": runtime.path] }

    init(_ name: String, _ words: [String]) throws {
        runtime = try TemporaryFolder("svc", mode: 0o700)
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["\(Escrow.root.path)/Tests/Support/\(name)", runtime.path] + words
        let said = Pipe()
        process.standardOutput = said
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The line may come in two pieces.
        let line = String(decoding: said.fileHandleForReading.availableData, as: UTF8.self)
        try #require(line.hasPrefix("listening"), "\(line)")
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }
}
