import Foundation
import Testing

/// Python as `make test` has it: the packages that tests compare with live in `.build/python`.
enum Python {
    struct Failure: Error { let status: Int32 }

    /// Whether a package is there; says SKIP if it is not.
    static func has(_ package: String) -> Bool {
        if (try? run(["-c", "import \(package)"])) != nil { return true }
        print("SKIP: python3 has no \(package)")
        return false
    }

    /// A script that is not started yet, with its stdin and stdout.
    static func process(_ arguments: [String]) -> (process: Process, input: Pipe, output: Pipe) {
        let process = Process()
        let own = "\(Fixture.root)/.build/python/bin/python3"
        let isThere = FileManager.default.isExecutableFile(atPath: own)
        process.executableURL = URL(filePath: isThere ? own : "/usr/bin/env")
        process.arguments = (isThere ? [] : ["python3"]) + arguments
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        return (process, input, output)
    }

    /// What a script writes.
    static func run(_ arguments: [String], input: Data = Data()) throws -> String {
        let (process, _, output) = process(arguments)
        // A file and not a pipe: what is written and what is read could otherwise wait for each other.
        let file = FileManager.default.temporaryDirectory.appending(path: "python-\(UUID().uuidString)")
        try input.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        process.standardInput = try FileHandle(forReadingFrom: file)
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
        return String(decoding: data, as: UTF8.self)
    }
}
