import Foundation
import Testing

/// An asset larger than the memory that anybody may use passes from the disk to the plugin.
@Suite(.serialized) struct AssetStreamTests {
    /// A home with a folder of one video of that size, a sparse file, and a plugin that reads what it is given in pieces.
    static func prepare(bytes: UInt64) throws -> Escrow {
        let escrow = try Escrow(trusting: false)
        let videos = escrow.folder.appending(path: "videos")
        try FileManager.default.createDirectory(at: videos, withIntermediateDirectories: true)
        let video = videos.appending(path: "long.mp4")
        #expect(FileManager.default.createFile(atPath: video.path, contents: nil))
        let file = try FileHandle(forWritingTo: video)
        try file.write(contentsOf: Data("\0\0\0\u{14}ftypisom\0\0\0\0mp42".utf8))
        try file.truncate(atOffset: bytes)
        try file.close()
        #expect(try escrow.run("source", "add", "photos", videos.path).status == 0)
        try install(
            escrow,
            [
                ("\"assetMiB\": 1", "\"assetMiB\": 5000"), ("\"wallSeconds\": 300", "\"wallSeconds\": 600"),
                ("\"cpuSeconds\": 1", "\"cpuSeconds\": 300"),
                ("\"image/heic\"", "\"image/heic\", \"video/mp4\""),
            ])
        return escrow
    }

    /// Packs the plugin with passages of its manifest replaced, installs it, and allows it.
    static func install(_ escrow: Escrow, _ passages: [(String, String)] = []) throws {
        #expect(try escrow.run("key", "new", "tester").status == 0)
        let keys = try #require(
            try escrow.run("key", "list", "--format", "json").json()["keys"] as? [[String: Any]])
        let key = try #require(keys.first?["publicKey"] as? String)
        #expect(try escrow.run("trust", "add", "org.escrow.tests.*", key).status == 0)
        let source = escrow.folder.appending(path: "plugin")
        try FileManager.default.copyItem(
            at: Escrow.root.appending(path: "Tests/EndToEndTests/Hungry"), to: source)
        let manifest = source.appending(path: "plugin.json")
        var text = try String(contentsOf: manifest, encoding: .utf8)
        for (passage, replacement) in passages {
            try #require(text.contains(passage), "\(passage)")
            text = text.replacing(passage, with: replacement)
        }
        try Data(text.utf8).write(to: manifest)
        let package = escrow.folder.appending(path: "hungry.escrow").path
        let packed = try escrow.run("plugin", "pack", source.path, "--key", "tester", "--output", package)
        try #require(packed.status == 0, "\(packed.words)")
        #expect(try escrow.run("plugin", "install", package, "--yes").status == 0)
        #expect(
            try escrow.run("grant", "allow", "--app", "org.example.test", "--plugin", "hungry").status == 0)
    }

    /// Runs the plugin over the video; what it counted in pieces of 64 MiB, and the most memory in KiB that the host or the
    /// plugin took.
    static func stream(_ escrow: Escrow) throws -> (count: Int, peak: Int) {
        let script =
            "import resource, subprocess, sys; code = subprocess.call(sys.argv[1:]); "
            + "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr); sys.exit(code)"
        let outcome = try Escrow.start(
            [
                "-c", script, Escrow.program.path, "run", "hungry", "--app", "org.example.test", "--param",
                "mode=stream", "--format", "json", "--quiet", "--sql", "SELECT asset, id FROM Photos",
            ], home: escrow.home, program: URL(filePath: "/usr/bin/python3"))
        try #require(outcome.status == 0, "\(outcome.everything)")
        let result = try outcome.json()
        let peak = try #require(
            outcome.words.split(separator: "\n").last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
        )
        return (try #require(result["n"] as? Int), peak)
    }

    @Test func aVideoOfFourGigabytesTakesNoMoreMemoryThanASmallOne() throws {
        let small = try Self.prepare(bytes: 1 << 26)
        let large = try Self.prepare(bytes: 4 << 30 | 7)
        defer {
            for escrow in [small, large] { try? FileManager.default.removeItem(at: escrow.folder) }
        }
        let first = try Self.stream(small)
        let second = try Self.stream(large)
        #expect(first.count == 1 && second.count == 64)
        #expect(second.peak < first.peak + (32 << 10), "\(second.peak) KiB after \(first.peak) KiB")
        let entries = try #require(
            try large.run("ledger", "list", "--last", "1", "--format", "json").json()["entries"]
                as? [[String: Any]])
        let fields = try #require(entries.first?["fields"] as? [String: Any])
        #expect(fields["assets"] as? Int == 1 && fields["assetBytes"] as? Int == 4 << 30 | 7)
    }

    @Test func aVideoBeyondTheLimitEndsTheRunBeforeItIsRead() throws {
        let escrow = try Self.prepare(bytes: 6_000 << 20)
        defer { try? FileManager.default.removeItem(at: escrow.folder) }
        let outcome = try escrow.run(
            "run", "hungry", "--app", "org.example.test", "--param", "mode=stream", "--quiet", "--sql",
            "SELECT asset, id FROM Photos")
        #expect(outcome.status == 15)
        #expect(outcome.words.contains("E0539"), "\(outcome.words)")
    }
}
