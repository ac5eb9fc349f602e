import EscrowDiagnostics
import Foundation

/// Databases as other programs write them, made with Python's sqlite3 in a folder of a test.
enum ProgramDatabase {
    /// The script that makes the tables of a vector.
    static func vector(_ name: String) -> String {
        "db.executescript(open('\(Repository.vectors)/\(name)').read())\n"
    }

    /// The script that makes many rows of a table's one row, which all share the pages of its long value.
    static func share(_ table: String, rows: Int) -> String {
        """

        exec(open('\(Repository.vectors)/shared_pages.py').read())
        share(sys.argv[1], '\(table)', \(rows))

        """
    }

    /// Runs a script with `db` connected to the file; the connection commits by itself.
    static func write(_ path: String, _ script: String) throws {
        let writer = try ProgramWriter(path, script)
        try writer.finish()
    }
}

/// A Python process that may hold a database as a running program does.
final class ProgramWriter {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ path: String, _ script: String, holds: Bool = false) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        let end = holds ? "\nprint('ready', flush=True)\nsys.stdin.read()\nos._exit(0)" : ""
        process.arguments = [
            "python3", "-c",
            "import os, sqlite3, sys\ndb = sqlite3.connect(sys.argv[1], isolation_level=None)\n" + script
                + end,
            path,
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        guard holds else { return }
        guard try output.fileHandleForReading.read(upToCount: 6) == Data("ready\n".utf8) else {
            throw Diagnostic(.notRegularFile, "the writer failed")
        }
    }

    func finish() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Diagnostic(.notRegularFile, "the writer failed") }
    }
}
