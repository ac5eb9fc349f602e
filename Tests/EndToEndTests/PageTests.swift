import Foundation
import Testing

/// The individual's page and their agents, by the programs that people use: a browser, and the protocol's own client.
@Suite struct PageTests {
    /// One line of a script's: what should hold, and whether it does.
    private struct Check: Decodable {
        let check: String
        let holds: Bool
        let detail: String
    }

    /// Runs a script of Tests/Support, and takes in what it found. The script says nothing of more checks than there are.
    private static func run(
        _ script: String, python: String = "python3", atLeast count: Int, with more: [String] = []
    ) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            [
                python, Escrow.root.appending(path: "Tests/Support/\(script).py").path, Escrow.program.path,
                Escrow.root.path,
            ]
            + more
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let checks = try data.split(separator: 0x0A).map {
            try JSONDecoder().decode(Check.self, from: Data($0))
        }
        for check in checks where !check.holds {
            Issue.record("\(script): \(check.check): \(check.detail)")
        }
        #expect(checks.count >= count, "\(script) did not come to its end")
        #expect(process.terminationStatus == 0)
    }

    /// The Python that has a package of PyPI's, or nil.
    private static func python(with module: String) -> String? {
        [Escrow.root.appending(path: ".build/python/bin/python3").path, "python3"].first { python in
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [python, "-c", "import \(module)"]
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }
    }

    @Test func nobodyButTheIndividualsBrowserUsesThePage() throws {
        try Self.run("page_attacks", atLeast: 37)
    }

    @Test func everyActionOfThePageWorksInABrowserAndAxeFindsNothing() throws {
        guard let python = Self.python(with: "axe_selenium_python"),
            ["/usr/bin/chromium", "/usr/bin/chromedriver"].allSatisfy(FileManager.default.isExecutableFile)
        else {
            print("SKIP: chromium, chromium-driver or PyPI's axe-selenium-python is not installed")
            return
        }
        try Self.run("page_browser", python: python, atLeast: 74)
    }

    @Test func anAgentGetsResultsAndNothingThatItIsToldWidensThat() throws {
        guard let python = Self.python(with: "mcp") else {
            print("SKIP: PyPI's mcp is not installed")
            return
        }
        try Self.run("agent_client", python: python, atLeast: 39)
    }
}
