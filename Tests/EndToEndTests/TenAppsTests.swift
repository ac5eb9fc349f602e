import Foundation
import Testing

/// Each of the papers' apps against its server, a real one where there is one: what it learned, and what did not pass.
@Suite(.timeLimit(.minutes(60))) struct TenAppsTests {
    @Test func thePageHasTheBitsAndLinesThatThereAre() throws {
        let page = Escrow.root.appending(path: "docs/ten-apps.md").path
        for words in [["apps/effort.py", "--check", page], ["apps/bits.py", Escrow.program.path, page]] {
            let (status, said) = try Self.python(words)
            #expect(status == 0, "\(said)")
        }
    }

    @Test(arguments: [
        "bluesky", "covid-alert", "duckduckgo", "nextcloud", "signal", "simplenote", "vlc", "wikipedia",
        "wordpress",
        "home-assistant", "identity-copy",
    ])
    func anAppLearnsItsAnswerAndNothingElse(app: String) throws {
        let escrow = try Escrow()
        let (status, said) = try Self.python([
            "apps/day.py", Escrow.program.path, Escrow.packages.path, escrow.folder.path, "--only", app,
        ])
        if status == 77 { return print("SKIP \(app): \(said)") }
        #expect(status == 0, "\(said)")
        #expect(said.contains("ok \(app)"))
    }

    private static func python(_ words: [String]) throws -> (status: Int32, said: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3"] + words
        process.currentDirectoryURL = Escrow.root
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, said)
    }
}
