import Foundation
import Testing

/// The table of `make probes`: every misdeed succeeds outside the sandbox and ends inside as written down.
@Suite struct ProbeTests {
    @Test func everyProbeEndsAsWrittenDown() throws {
        try run([])
    }

    @Test func everyProbeEndsAsWrittenDownForAnOrdinaryUser() throws {
        guard geteuid() == 0 else {
            print("SKIP: not root, so the probes have already run as an ordinary user")
            return
        }
        try run(["--as", "nobody"])
    }

    private func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = Bundle.main.bundleURL.appending(path: "probes")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let table = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let lines = table.split(separator: "\n")
        let failures = lines.filter { $0.hasPrefix("FAIL") }
        #expect(process.terminationStatus == 0, "\(failures.joined(separator: "\n"))")
        #expect(failures.isEmpty)
        #expect(lines.contains { $0.contains(" passed, 0 failed") })
    }
}
