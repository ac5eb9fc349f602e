import Foundation
import TemporaryFolder
import Testing

@testable import EscrowSharing

/// Debian's libgfshare splits over the same field: its files are our rows of values, their endings the places.
@Suite("Shares, beside libgfshare's") struct PeerTests {
    static let secret = Array("sixteen letters, and some more of them".utf8)

    static func run(_ tool: String, _ words: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/\(tool)")
        process.arguments = words
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    static func isMissing(_ tool: String) -> Bool {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/\(tool)") else {
            print("SKIP \(tool) is not here: apt-get install libgfshare-bin")
            return true
        }
        return false
    }

    @Test func whatGfsplitMadeIsPutTogether() throws {
        guard !Self.isMissing("gfsplit") else { return }
        let folder = try TemporaryFolder("shares")
        let file = folder.url.appending(path: "secret")
        try Data(Self.secret).write(to: file)
        try Self.run("gfsplit", ["-n", "3", "-m", "5", file.path])
        let values = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            .filter { $0.hasPrefix("secret.") }.prefix(3).map { name in
                (
                    place: try #require(UInt8(name.suffix(3))),
                    bytes: [UInt8](try Data(contentsOf: folder.url.appending(path: name)))
                )
            }
        #expect(values.count == 3)
        #expect(Field.standard.secret(of: Array(values)) == Self.secret)
    }

    @Test func whatWasSplitHereGfcombinePutsTogether() throws {
        guard !Self.isMissing("gfcombine") else { return }
        let folder = try TemporaryFolder("shares")
        let scheme = try Scheme.senderFirst(threshold: 3, shares: 5)
        let names = try scheme.split(Self.secret)[1...3].map { share in
            let digits = String(share.number)
            let file = folder.url.appending(
                path: "share." + String(repeating: "0", count: 3 - digits.count) + digits)
            try Data(share.values).write(to: file)
            return file.path
        }
        let output = folder.url.appending(path: "whole")
        try Self.run("gfcombine", ["-o", output.path] + names)
        // The digest comes after the message.
        #expect(Array(try Data(contentsOf: output).prefix(Self.secret.count)) == Self.secret)
    }

    /// pyshamir's field is AES's; a share ends with its place.
    static let aes = Field(0x1b)

    /// What a script of Python prints, a line each; nil where the package is not here.
    static func python(_ script: String, _ words: [String]) throws -> [[UInt8]]? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c", "try: import pyshamir\nexcept ImportError: exit(77)\nimport sys\n" + script,
        ]
        process.arguments? += words
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus != 77 else {
            print("SKIP pyshamir is not here: make test-packages")
            return nil
        }
        try #require(process.terminationStatus == 0)
        return text.split(separator: "\n").map { line in
            stride(from: 0, to: line.count, by: 2).compactMap {
                UInt8(line.dropFirst($0).prefix(2), radix: 16)
            }
        }
    }

    @Test func whatPyshamirSplitIsPutTogether() throws {
        let script = "for part in pyshamir.split(sys.argv[1].encode(), 5, 3): print(part.hex())"
        guard let parts = try Self.python(script, [String(decoding: Self.secret, as: UTF8.self)]) else {
            return
        }
        #expect(parts.count == 5)
        for first in 0...2 {
            let values = parts[first...first + 2].map {
                (place: $0[$0.count - 1], bytes: Array($0.dropLast()))
            }
            #expect(Self.aes.secret(of: Array(values)) == Self.secret)
        }
    }

    @Test func whatWasSplitHerePyshamirPutsTogether() throws {
        let rows =
            [Self.secret] + (0..<2).map { _ in Self.secret.map { _ in UInt8.random(in: 0...255) } }
        let parts = [UInt8](arrayLiteral: 3, 7, 255).map { place in
            (Self.aes.value(of: rows, at: place) + [place])
                .map { String(UInt16($0) + 256, radix: 16).suffix(2) }.joined()
        }
        let script = "print(pyshamir.combine([bytearray.fromhex(part) for part in sys.argv[1:]]).hex())"
        guard let found = try Self.python(script, parts) else { return }
        #expect(found == [Self.secret])
    }
}
