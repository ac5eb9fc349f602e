import Foundation
import Testing

/// Fuzz targets are built by nobody until somebody fuzzes, and so fall behind the parsers that they call.
@Suite struct FuzzTargetTests {
    private static let modules = DependencyGraphTests.root
        .appending(path: ".build/tests/release/Modules").path

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: modules), "there is no build of the tests"))
    func everyFuzzTargetCompiles() throws {
        let process = Process()
        process.executableURL = DependencyGraphTests.root.appending(path: "scripts/fuzz")
        process.arguments = ["check"]
        let output = Pipe()
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let words = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(words)")
    }
}
