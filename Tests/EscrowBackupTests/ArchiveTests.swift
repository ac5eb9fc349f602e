import EscrowDiagnostics
import Testing

@testable import EscrowBackup

@Suite("What a backup holds, as bytes") struct ArchiveTests {
    static let entries: [ArchiveEntry] = [
        .folder(path: "a"), .folder(path: "a/b"), .file(path: "a/b/c", isExecutable: true, size: 3),
        .bytes([1, 2, 3]),
        .file(path: "d", isExecutable: false, size: 0), .end,
    ]

    static func bytes(_ entries: [ArchiveEntry]) -> [UInt8] { entries.flatMap(\.head) }

    static func parse(_ bytes: [UInt8], pieces: Int) throws(Diagnostic) -> (
        entries: [ArchiveEntry], isDone: Bool
    ) {
        var parser = ArchiveParser()
        var found: [ArchiveEntry] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            try parser.feed(Array(rest.prefix(pieces))) { entry throws(Diagnostic) in
                if case .bytes(let more) = entry, case .bytes(let before)? = found.last {
                    found[found.count - 1] = .bytes(before + more)
                } else {
                    found.append(entry)
                }
            }
            rest = rest.dropFirst(pieces)
        }
        return (found, parser.isDone)
    }

    @Test("Pieces of any size give the same entries", arguments: [1, 2, 3, 7, 1_000])
    func pieces(_ size: Int) throws {
        let result = try Self.parse(Self.bytes(Self.entries), pieces: size)
        #expect(result.entries == Self.entries && result.isDone)
    }

    @Test("Without its end it is not done")
    func noEnd() throws {
        let whole = Self.bytes(Self.entries)
        for count in 0..<whole.count {
            #expect(try !Self.parse(Array(whole.prefix(count)), pieces: 5).isDone)
        }
    }

    @Test(
        "A path never leads elsewhere",
        arguments: [
            "", "/", "/etc/passwd", "..", "../x", "a/../b", "a/./b", ".", "a//b", "a/", "a\u{0}b", "a\nb",
            "x/y",
            String(repeating: "n", count: 256), Array(repeating: "d", count: 33).joined(separator: "/"),
        ])
    func paths(_ path: String) {
        for entry in [ArchiveEntry.folder(path: path), .file(path: path, isExecutable: false, size: 0)] {
            #expect(throws: Diagnostic(.backupOfSomethingElse, "")) {
                try Self.parse(entry.head + [0], pieces: 100)
            }
        }
    }

    @Test(
        "No name stands twice, nothing follows the end, no kind and no size is unknown",
        arguments: [
            bytes([.folder(path: "a"), .folder(path: "a"), .end]), bytes([.end, .end]),
            bytes([.file(path: "f", isExecutable: false, size: 1), .bytes([0]), .folder(path: "f/x"), .end]),
            [3], [255], [2, 0, 1, 0x61, 2, 0, 0, 0, 0, 0, 0, 0, 0],
            [2, 0, 1, 0x61, 0, 255, 0, 0, 0, 0, 0, 0, 0],
            [1, 0, 1, 0xFF, 0], [1, 0xFF, 0xFF, 0x61],
        ])
    func malformed(_ bytes: [UInt8]) {
        #expect(throws: Diagnostic(.backupOfSomethingElse, "")) { try Self.parse(bytes, pieces: 100) }
    }
}
