import Foundation
import Testing

@testable import EscrowMeeting

/// Beside PyPI's `spake2`.
@Suite("A key of a short code") struct PasswordExchangeTests {
    static let names = (a: Array("alice".utf8), b: Array("bob".utf8))

    /// The package's other side, with the same code: it reads our message and prints its own and the key.
    static func peer(_ side: String, code: String, _ message: [UInt8]) throws -> [[UInt8]]? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            """
            try: import spake2
            except ImportError: exit(77)
            import sys
            side = getattr(spake2, "SPAKE2_" + sys.argv[1])(sys.argv[2].encode(), idA=b"alice", idB=b"bob")
            print(side.start().hex())
            print(side.finish(bytes.fromhex(sys.argv[3])).hex())
            """, side, code, message.map { String(UInt16($0) + 256, radix: 16).suffix(2) }.joined(),
        ]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus != 77 else {
            print("SKIP PyPI's spake2 is not here: scripts/packages test")
            return nil
        }
        try #require(process.terminationStatus == 0)
        return text.split(separator: "\n").map { line in
            let digits = Array(line)
            return stride(from: 0, to: digits.count, by: 2).map {
                UInt8(String(digits[$0...$0 + 1]), radix: 16)!
            }
        }
    }

    @Test(arguments: [PasswordExchange.Side.a, .b]) func bothSidesAgreeWithThatPackage(
        _ side: PasswordExchange.Side
    ) throws {
        for code in ["12345678", "", "a longer one"] {
            let ours = try #require(PasswordExchange(side, code: Array(code.utf8), names: Self.names))
            guard let theirs = try Self.peer(side == .a ? "B" : "A", code: code, ours.message) else { return }
            #expect(ours.key(from: theirs[0]) == theirs[1])
        }
    }

    @Test func anotherCodeGivesAnotherKeyAndNoPointGivesNone() throws {
        let a = try #require(PasswordExchange(.a, code: [1], names: Self.names))
        let b = try #require(PasswordExchange(.b, code: [1], names: Self.names))
        let wrong = try #require(PasswordExchange(.b, code: [2], names: Self.names))
        #expect(a.key(from: b.message) == b.key(from: a.message))
        #expect(a.key(from: b.message) != nil)
        #expect(a.key(from: wrong.message) != wrong.key(from: a.message))
        // The same side's, a message sent back, the identity, a point of small order, too short.
        #expect(a.key(from: a.message) == nil)
        #expect(a.key(from: [0x42] + a.message.dropFirst()) == nil)
        #expect(a.key(from: [0x42, 1] + [UInt8](repeating: 0, count: 31)) == nil)
        #expect(a.key(from: [0x42] + [UInt8](repeating: 0, count: 32)) == nil)
        #expect(a.key(from: [0x42]) == nil)
    }
}
