import EscrowAppWire
import EscrowDiagnostics
import EscrowJSON
import Glibc
import Testing

/// What the host may hand to an app, and what becomes of an app that does not take it.
@Suite struct AppPipesTests {
    @Test func anAppThatDoesNotReadIsNotReadEither() throws {
        var (toHost, toApp): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        try #require(pipe(&toHost) == 0 && pipe(&toApp) == 0)
        defer { for end in toHost + toApp { close(end) } }
        let pipes = try AppPipes(input: toHost[0], output: toApp[1], stallSeconds: 0.1)
        pipes.write([UInt8](repeating: 0x20, count: 1 << 20))
        var chunk: [UInt8] = [0]
        #expect(throws: Diagnostic(.appDoesNotRead, "")) { try pipes.read(into: &chunk) }
    }

    /// What is recorded as returned fits the line that hands it over.
    @Test func aTextThatFitsNoLineIsRefusedBefore() throws {
        func text(_ letter: String, _ count: Int) -> JSONValue {
            .string(String(repeating: letter, count: count))
        }
        let most = 16 << 20
        #expect(throws: Diagnostic(.resultOutOfBounds, "")) {
            try AppResult.checkRoom(for: text("\"", most))
        }
        // The longest that passes has room beside the longest id.
        let room = (AppWire.answerCap - 256 - 2) / 2
        #expect(throws: Diagnostic(.resultOutOfBounds, "")) {
            try AppResult.checkRoom(for: text("\"", room + 1))
        }
        for value in [text("\"", room), text("x", most), .null] {
            try AppResult.checkRoom(for: value)
            _ = try HostMessage.result(id: .max, .value(value, columns: nil)).line()
        }
    }
}
