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
                    words: Words.of(try Data(contentsOf: folder.url.appending(path: name)))
                )
            }
        #expect(values.count == 3)
        #expect(
            Words.bytes(of: Field.standard.secret(of: Array(values)), count: Self.secret.count) == Self.secret
        )
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
}
