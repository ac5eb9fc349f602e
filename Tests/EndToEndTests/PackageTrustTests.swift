import Foundation
import Testing

/// A publisher's key comes along with a package, is shown, and is trusted once the individual says so.
@Suite struct PackageTrustTests {
    private let escrow: Escrow
    private let package: String
    private let fingerprint: String

    init() throws {
        escrow = try Escrow(trusting: false)
        let folder = escrow.folder.appending(path: "plugin")
        package = escrow.folder.appending(path: "hungry.escrow").path
        try FileManager.default.copyItem(
            at: Escrow.root.appending(path: "Tests/EndToEndTests/Hungry"), to: folder)
        let key = try escrow.run("key", "new", "--format", "json")
        fingerprint = try #require(try key.json()["fingerprint"] as? String)
        let packed = try escrow.run("plugin", "pack", folder.path, "--key", "default", "--output", package)
        try #require(packed.status == 0, "\(packed.words)")
    }

    private func trusted() throws -> [String] {
        let list = try escrow.run("trust", "list", "--format", "json").json()["trust"] as? [[String: Any]]
        return try #require(list).compactMap { $0["fingerprint"] as? String }
    }

    @Test func theFingerprintIsShownAndAskedAbout() throws {
        for (answer, keys) in [("n", []), ("perhaps", []), ("y", [fingerprint])] {
            let terminal = try TypedTerminal(
                ["trust", "add", "org.escrow.tests.*", "--package", package], home: escrow.home, columns: 160)
            try terminal.expect("trust this key for org.escrow.tests.*? [y/N] ")
            #expect(terminal.shown.contains("  key         \(fingerprint)\n"), "\(terminal.shown)")
            #expect(terminal.shown.contains("compare it with what the publisher tells elsewhere"))
            terminal.type(answer)
            #expect(try terminal.end().status == 0)
            #expect(terminal.shown.contains(keys.isEmpty ? "nobody was trusted" : "trusted  \(fingerprint)"))
            #expect(try trusted() == keys)
        }
        #expect(try escrow.run("plugin", "install", package, "--yes").status == 0)
    }

    @Test func offATerminalTheFingerprintMustBeSaid() throws {
        let unasked = try escrow.run("trust", "add", "org.escrow.tests.*", "--package", package)
        #expect(unasked.status == 64 && unasked.words.contains("--fingerprint \(fingerprint)"))
        let wrong = try escrow.run(
            "trust", "add", "org.escrow.tests.*", "--package", package, "--fingerprint",
            String(fingerprint.dropLast()) + "x")
        #expect(wrong.status == 12 && wrong.words.contains("E1391"))
        #expect(try trusted().isEmpty)
        let right = try escrow.run(
            "trust", "add", "org.escrow.tests.*", "--package", package, "--fingerprint", fingerprint)
        #expect(right.status == 0)
        #expect(try trusted() == [fingerprint])
    }

    @Test func aPatternThatDoesNotTakeThePackageInIsAMistake() throws {
        let other = try escrow.run(
            "trust", "add", "com.example.*", "--package", package, "--fingerprint", fingerprint)
        #expect(other.status == 12 && other.words.contains("which the pattern does not take in"))
        #expect(try trusted().isEmpty)
    }

    @Test func aPackageOfAnEarlierVersionSaysWhatToDo() throws {
        let old = Escrow.root.appending(path: "Tests/Vectors/envelope/good-without-key.escrow").path
        let refused = try escrow.run("trust", "add", "org.example.*", "--package", old)
        #expect(refused.status == 12 && refused.words.contains("[E1390]"), "\(refused.words)")
        #expect(refused.words.contains("help: ask its publisher for the key"))
        #expect(refused.words.contains("--key-file FILE"))
    }
}
