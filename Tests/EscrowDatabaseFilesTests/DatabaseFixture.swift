import EscrowDatabaseFiles
import EscrowDiagnostics
import Foundation
import Glibc

/// A folder with databases that Python's sqlite3 writes, gone with the test.
final class DatabaseFixture {
    let folder: String

    init() throws {
        var template = Array("/tmp/escrow-database-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Diagnostic(.notRegularFile, "no temporary folder") }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var path: String { folder + "/a.db" }
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? [] }

    /// Runs a script to its end; `db` is a connection to `a.db` that commits by itself.
    func write(_ script: String) throws {
        let writer = try Writer(script, folder: folder)
        try writer.finish()
    }

    /// Runs a script that stays alive, with what it holds, until ``Writer/finish()``.
    func hold(_ script: String) throws -> Writer {
        let writer = try Writer(
            script + "\nprint('ready', flush=True)\nsys.stdin.read()\nos._exit(0)", folder: folder)
        try writer.waitUntilReady()
        return writer
    }

    func copy(limit: Int64 = PrivateCopy.byteLimit) throws -> PrivateCopy {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        return try PrivateCopy(of: file, limit: limit) { Glibc.open(self.path + $0, O_RDONLY | O_CLOEXEC) }
    }

    func database() throws -> DatabaseFile { try DatabaseFile(copy()) }

    /// The texts of a table `t(k INTEGER PRIMARY KEY, v)`.
    func values() throws -> [String] {
        let rows = try database().scan("SELECT k, v FROM t NOT INDEXED")
        var values: [String] = []
        while try rows.next() { values.append(String(decoding: rows.text(1) ?? [], as: UTF8.self)) }
        return values
    }

    func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }
    func replace(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: path)) }
}

/// A Python process.
final class Writer {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ script: String, folder: String) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            "import os, sqlite3, sys\ndb = sqlite3.connect('a.db', isolation_level=None)\n" + script,
        ]
        process.currentDirectoryURL = URL(filePath: folder)
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    func waitUntilReady() throws {
        guard let line = try output.fileHandleForReading.read(upToCount: 6), line == Data("ready\n".utf8)
        else {
            throw Diagnostic(.notRegularFile, "the writer failed")
        }
    }

    func finish() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Diagnostic(.notRegularFile, "the writer failed") }
    }
}
