import Foundation
import Testing

/// What authors are told while they write: `plugin test --watch`, a print to stdout, a column that is misspelt.
@Suite struct AuthorTests {
    private let escrow: Escrow

    init() throws { escrow = try Escrow(trusting: false) }

    private func new(_ language: String) throws -> URL {
        let process = Process()
        process.executableURL = Escrow.program
        process.arguments = ["plugin", "new", "count", "--language", language]
        process.currentDirectoryURL = escrow.folder
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return escrow.folder.appending(path: "count")
    }

    private func edit(_ file: URL, _ passage: String, _ other: String) throws {
        let text = try String(contentsOf: file, encoding: .utf8)
        try #require(text.contains(passage))
        try Data(text.replacing(passage, with: other).utf8).write(to: file)
    }

    @Test func aChangeIsTestedAtOnce() throws {
        let folder = try new("python")
        let process = Process()
        process.executableURL = Escrow.program
        process.arguments = ["plugin", "test", folder.path, "--watch"]
        process.standardOutput = FileHandle.nullDevice
        let words = Pipe()
        process.standardError = words
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        var said = ""
        func expect(_ text: String) throws {
            while true {
                // What came behind it in the same piece is kept: it may be what is expected next.
                if let found = said.range(of: text) {
                    said = String(said[found.upperBound...])
                    return
                }
                let data = words.fileHandleForReading.availableData
                try #require(!data.isEmpty, "\(text) never came: \(said)")
                said += String(decoding: data, as: UTF8.self)
            }
        }
        try expect("waiting for a change")
        try edit(folder.appending(path: "main.py"), "\"named\": named", "\"named\": contacts")
        try expect("0 passed, 1 failed")
        try expect("waiting for a change")
        try edit(folder.appending(path: "main.py"), "\"named\": contacts", "\"named\": named")
        try expect("1 passed, 0 failed")
    }

    @Test func aPrintToStdoutIsExplained() throws {
        let folder = try new("c")
        try edit(
            folder.appending(path: "main.c"), "int64_t contacts",
            "printf(\"hello\\n\"); fflush(stdout); int64_t contacts")
        let outcome = try escrow.run("plugin", "test", folder.path)
        #expect(
            outcome.everything.contains("stdout is the protocol; write what you print to stderr"),
            "\(outcome.everything)")
        // What C keeps back until the program ends comes behind the result.
        try edit(folder.appending(path: "main.c"), "fflush(stdout); ", "")
        let late = try escrow.run("plugin", "test", folder.path)
        #expect(late.everything.contains("E0529") && late.everything.contains("write it to stderr"))
    }

    @Test func aMisspeltColumnIsNamedWithTheNearest() throws {
        let folder = try new("c")
        try edit(folder.appending(path: "main.c"), "\"familyName\"", "\"familyNmae\"")
        let outcome = try escrow.run("plugin", "test", folder.path)
        #expect(
            outcome.everything.contains(
                "the rows have no column \"familyNmae\"; the nearest is \"familyName\""),
            "\(outcome.everything)")
    }

    @Test func aManifestWithoutASentenceIsNotPacked() throws {
        let folder = try new("jq")
        try edit(folder.appending(path: "plugin.json"), ", \"learns\": \"how many contacts there are\"", "")
        for command in ["check", "pack"] {
            let outcome = try escrow.run("plugin", command, folder.path)
            #expect(outcome.status == 12 && outcome.words.contains("E0103"), "\(outcome.words)")
            #expect(outcome.words.contains("\"result.contacts\" does not say what the app learns by it"))
        }
        let unsigned = try Escrow.start(
            [
                "plugin", "pack", try again("jq").path, "--output",
                escrow.folder.appending(path: "x.escrow").path,
            ],
            home: escrow.home)
        #expect(unsigned.words.contains("escrow key new"), "\(unsigned.words)")
    }

    private func again(_ language: String) throws -> URL {
        try FileManager.default.removeItem(at: escrow.folder.appending(path: "count"))
        return try new(language)
    }
}
