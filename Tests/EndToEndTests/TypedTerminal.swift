import Foundation
import Testing

/// A command on a terminal of its own, on which a test reads and types.
final class TypedTerminal {
    private let main: Int32
    private let process = Process()
    private let output = Pipe()
    /// All that the terminal showed so far.
    private(set) var shown = ""
    /// Where what `expectNext` found last ends.
    private var seen = "".startIndex

    /// Starts a command in a folder; its result goes to a pipe, or with `showsOutput` to the terminal, its words and its questions
    /// to the terminal.
    init(
        _ arguments: [String], home: URL, columns: UInt16 = 0, rows: UInt16 = 60, showsOutput: Bool = false,
        program: URL = Escrow.program, in folder: URL = Escrow.root, with more: [String: String] = [:]
    ) throws {
        var main: Int32 = -1
        var side: Int32 = -1
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&main, &side, nil, nil, &size) == 0)
        self.main = main
        process.executableURL = program
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["ESCROW_HOME"] = home.path
        environment["NO_COLOR"] = "1"
        environment.merge(more) { $1 }
        process.environment = environment
        process.currentDirectoryURL = folder
        let terminal = FileHandle(fileDescriptor: side, closeOnDealloc: false)
        process.standardInput = terminal
        process.standardError = terminal
        process.standardOutput = showsOutput ? terminal : output
        try process.run()
        close(side)
    }

    deinit { close(main) }

    var pid: Int32 { process.processIdentifier }

    /// Reads until the terminal shows a text, which must come.
    func expect(_ text: String) throws {
        while !shown.contains(text) {
            try #require(read(), "\(text) never came: \(shown)")
        }
    }

    /// Reads until the terminal shows a text behind all that was expected before.
    func expectNext(_ text: String) throws {
        while true {
            if let found = shown[seen...].range(of: text) {
                seen = found.upperBound
                return
            }
            let place = shown.distance(from: shown.startIndex, to: seen)
            try #require(read(), "\(text) never came: \(shown)")
            seen = shown.index(shown.startIndex, offsetBy: place)
        }
    }

    private func read() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        // EIO: the command, which has the other side, has ended.
        let count = Glibc.read(main, &buffer, buffer.count)
        guard count > 0 else { return false }
        shown += String(decoding: buffer.prefix(count), as: UTF8.self).replacing("\r\n", with: "\n")
        return true
    }

    /// Types a line.
    func type(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        #expect(write(main, bytes, bytes.count) == bytes.count)
    }

    /// Presses one key, such as Ctrl-Z.
    func press(_ key: UInt8) {
        var key = key
        #expect(write(main, &key, 1) == 1)
    }

    /// Waits for the end; gives the exit status and the result.
    func end() throws -> (status: Int32, output: String) {
        while read() {}
        // What went to the terminal is not in the pipe, whose other end is still open here.
        try output.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}
