import Foundation
import Testing

/// The table of `make probes`: every misdeed succeeds outside the sandbox and ends inside as written down.
@Suite struct ProbeTests {
    @Test func everyProbeEndsAsWrittenDown() throws {
        let process = Process()
        process.executableURL = Bundle.main.bundleURL.appending(path: "probes")
        let isRoot = geteuid() == 0
        process.arguments = isRoot ? ["--as", "root", "--as", "nobody"] : []
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
        #expect(lines.filter { $0.contains(" passed, 0 failed") }.count == (isRoot ? 2 : 1))
    }
}
