import Foundation
import Testing

/// Scripts of Tests/Support, by the programs that people use: they tell what holds, a line of JSON each.
enum SupportScript {
    /// One line of a script's: what should hold, and whether it does.
    private struct Check: Decodable {
        let check: String
        let holds: Bool
        let detail: String
    }

    /// Runs a script of Tests/Support, and takes in what it found. The script says nothing of more checks than there are.
    static func run(
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
    static func python(with module: String) -> String? {
        [Escrow.root.appending(path: ".build/python/bin/python3").path, "python3"].first {
            can("import \(module)", by: $0)
        }
    }

    /// Whether a Python can do something.
    static func can(_ what: String, by python: String) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [python, "-c", what]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
