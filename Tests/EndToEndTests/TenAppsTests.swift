import Foundation
import Testing

/// Each of the papers' apps against its server, a real one where there is one: what it learned, and what did not pass.
@Suite(.timeLimit(.minutes(60))) struct TenAppsTests {
    @Test(arguments: [
        "bluesky", "covid-alert", "duckduckgo", "nextcloud", "signal", "simplenote", "vlc", "wikipedia",
        "wordpress",
        "home-assistant",
    ])
    func anAppLearnsItsAnswerAndNothingElse(app: String) throws {
        let escrow = try Escrow()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", Escrow.root.appending(path: "apps/day.py").path, Escrow.program.path,
            Escrow.packages.path,
            escrow.folder.path, "--only", app,
        ]
        process.currentDirectoryURL = Escrow.root
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        if process.terminationStatus == 77 { return print("SKIP \(app): \(said)") }
        #expect(process.terminationStatus == 0, "\(said)")
        #expect(said.contains("ok \(app)"))
    }
}
