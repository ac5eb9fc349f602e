import Foundation
import Testing

/// An individual is told what a new version of a plugin changes, before it is kept.
@Suite struct PluginUpdateTests {
    private let escrow: Escrow
    private let folder: URL

    init() throws {
        escrow = try Escrow(trusting: false)
        folder = escrow.folder.appending(path: "count")
        let new = Process()
        new.executableURL = Escrow.program
        new.arguments = ["plugin", "new", "count", "--language", "jq"]
        new.currentDirectoryURL = escrow.folder
        new.standardOutput = FileHandle.nullDevice
        new.standardError = FileHandle.nullDevice
        try new.run()
        new.waitUntilExit()
        try #require(new.terminationStatus == 0)
        try #require(try escrow.run("key", "new").status == 0)
    }

    private func change(_ passages: [(String, String)]) throws {
        let file = folder.appending(path: "plugin.json")
        var text = try String(contentsOf: file, encoding: .utf8)
        for (passage, other) in passages {
            try #require(text.contains(passage), "\(passage)")
            text = text.replacing(passage, with: other)
        }
        try Data(text.utf8).write(to: file)
    }

    private func pack(_ name: String, key: String = "default") throws -> String {
        let path = escrow.folder.appending(path: name).path
        let packed = try escrow.run("plugin", "pack", folder.path, "--key", key, "--output", path)
        try #require(packed.status == 0, "\(packed.words)")
        return path
    }

    /// The rows of the sheet from the one about the update on.
    private func update(_ package: String) throws -> String {
        let outcome = try escrow.run("plugin", "install", package, "--yes")
        try #require(outcome.status == 0, "\(outcome.words)")
        let lines = outcome.words.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { !$0.hasPrefix("  update") }.prefix { $0.hasPrefix("  ") }.joined(separator: "\n")
    }

    @Test func anUpdateShowsWhatItChanges() throws {
        let first = try pack("1.escrow")
        let trusted = try escrow.run(
            "trust", "add", "org.example.*", "--package", first, "--fingerprint", try fingerprint())
        try #require(trusted.status == 0, "\(trusted.words)")
        #expect(try update(first) == "")
        #expect(try update(first) == "  update    none: this very version is installed")
        // The same, built once more: nothing that is compared has changed.
        try change([("0.1.0\"", "0.2.0\""), ("\"sequence\": 1", "\"sequence\": 2")])
        #expect(
            try update(try pack("2.escrow")) == "  update    it replaces 0.1.0, and asks for nothing more")
        try change([
            ("0.2.0\"", "0.3.0\""), ("\"sequence\": 2", "\"sequence\": 3"),
            ("[\"familyName\"]", "[\"familyName\", \"birthday\"]"),
            ("SELECT familyName FROM Contacts", "SELECT familyName FROM Contacts WHERE birthday IS NOT NULL"),
            ("\"learns\": \"how many have a family name\"", "\"learns\": \"who has a family name\""),
            ("\"memoryMiB\": 128", "\"memoryMiB\": 256"), ("\"cpuSeconds\": 5", "\"cpuSeconds\": 4"),
            (
                "\"egress\": []",
                """
                "parameters": { "name": { "type": "text", "maxLength": 8 } },
                  "egress": []
                """
            ),
            ("\"maxBytes\": 128", "\"maxBytes\": 256"),
        ])
        let third = try update(try pack("3.escrow"))
        #expect(
            third == """
                  update    it replaces 0.2.0; what is more than you allowed is asked about again
                  less      processor time in seconds is now 4, it was 5
                  less      the publisher no longer says that the app learns "how many have a family name"
                  more      memory in MiB is now 256, it was 128
                  more      the app learns, the publisher says, "who has a family name"
                  NEW       may also read Contacts.birthday
                  NEW       most bytes returned is now 256, it was 128
                  NEW       an app may also tell it name
                """)
    }

    /// No grant is held against what a run may use up.
    @Test func moreTimeIsNotAskedAbout() throws {
        let first = try pack("1.escrow")
        _ = try escrow.run(
            "trust", "add", "org.example.*", "--package", first, "--fingerprint", try fingerprint())
        _ = try update(first)
        try change([
            ("0.1.0\"", "0.2.0\""), ("\"sequence\": 1", "\"sequence\": 2"),
            ("\"cpuSeconds\": 5", "\"cpuSeconds\": 6"),
        ])
        #expect(
            try update(try pack("2.escrow")) == """
                  update    it replaces 0.1.0; you are not asked again about what is more
                  more      processor time in seconds is now 6, it was 5
                """)
    }

    @Test func anotherSignerIsNew() throws {
        let first = try pack("1.escrow")
        let own = try fingerprint()
        _ = try escrow.run("trust", "add", "org.example.*", "--package", first, "--fingerprint", own)
        _ = try update(first)
        try #require(try escrow.run("key", "new", "other").status == 0)
        try change([("0.1.0\"", "0.2.0\""), ("\"sequence\": 1", "\"sequence\": 2")])
        let second = try pack("2.escrow", key: "other")
        let other = try fingerprint("other")
        _ = try escrow.run("trust", "add", "org.example.*", "--package", second, "--fingerprint", other)
        func short(_ id: String) -> String { "SHA256:\(id.dropFirst(7).prefix(4))…\(id.suffix(3))" }
        #expect(
            try update(second) == """
                  update    it replaces 0.1.0; what is more than you allowed is asked about again
                  NEW       it is signed by \(short(other)), it was by \(short(own))
                """)
    }

    private func fingerprint(_ name: String = "default") throws -> String {
        let keys = try escrow.run("key", "list", "--format", "json").json()["keys"] as? [[String: Any]]
        return try #require(keys?.first { $0["name"] as? String == name }?["fingerprint"] as? String)
    }
}
