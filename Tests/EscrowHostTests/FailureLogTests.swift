import EscrowDiagnostics
import Foundation
import TemporaryFolder
import Testing

@testable import EscrowHome

/// Why runs of apps failed: bounded, each kind once, and nothing of a plugin's words.
@Suite struct FailureLogTests {
    private let folder: TemporaryFolder
    private let log: FailureLog

    init() throws {
        folder = try TemporaryFolder("escrow-failures")
        log = FailureLog(home: folder.url.path)
    }

    private var file: URL { folder.url.appending(path: "failures.json") }

    private func note(_ message: String, app: String = "org.example.notes", hasReadData: Bool = false) throws
    {
        let failure = Diagnostic(
            .noSuchColumn, message, at: .init(file: "x", line: 1), notes: ["a note"], help: "a way out")
        try log.note(failure, app: app, plugin: "p", hasReadData: hasReadData, time: "2026-11-25T00:00:00Z")
    }

    @Test func whatIsAlikeIsCounted() throws {
        for message in ["one", "two", "one"] { try note(message) }
        try note("one", app: "org.example.other")
        let entries = try log.entries()
        #expect(entries.map(\.words[0]) == ["two", "one", "one"] && entries.map(\.times) == [1, 2, 1])
        #expect(entries[0].words == ["two", "x:1", "a note", "help: a way out"])
    }

    @Test func whatCameAfterDataWasReadIsItsCodeAlone() throws {
        try note("canary-7f3a", hasReadData: true)
        let entry = try #require(try log.entries().first)
        #expect(entry.code == "E0407" && entry.words == ["after data was read"])
        let bytes = try Data(contentsOf: file)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("canary"))
    }

    /// An app that fails in ever new ways, and at length, makes the file no longer than it may be.
    @Test func theOldestGo() throws {
        for number in 0..<(FailureLog.most + 30) {
            try note("\(number) " + String(repeating: "ü", count: 5_000))
        }
        let entries = try log.entries()
        #expect(entries.count == FailureLog.most)
        #expect(entries.last?.words[0].hasPrefix("\(FailureLog.most + 29) ") == true)
        let bytes = try Data(contentsOf: file)
        #expect(bytes.count < 1 << 19)
    }

    @Test func aFileThatIsDamagedCountsAsNone() throws {
        try note("one")
        try Data(#"{"escrow-failures": 1, "fail"#.utf8).write(to: file)
        #expect(try log.entries().isEmpty)
        try note("two")
        #expect(try log.entries().map(\.words[0]) == ["two"])
    }
}
