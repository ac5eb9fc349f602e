import Foundation
import Testing

@testable import EscrowTerminal

/// What is typed without being shown, on a terminal of the test's own.
@Suite struct SecretLineTests {
    /// A program types the answer as soon as it sees the prompt's first letter. The prompt is longer than a pipe holds, so that it
    /// is still being written then.
    @Test func anAnswerThatComesWithThePromptIsTakenAndNotShown() async throws {
        var (main, side): (Int32, Int32) = (-1, -1)
        try #require(openpty(&main, &side, nil, nil, nil) == 0)
        defer {
            close(main)
            close(side)
        }
        let prompts = Pipe()
        let (prompt, terminal) = (prompts.fileHandleForWriting, side)
        let asking = Task.detached {
            defer { try? prompt.close() }
            return SecretLine.read(
                String(repeating: "?", count: 1 << 20), on: prompt.fileDescriptor, from: terminal, atMost: 64)
        }
        _ = try prompts.fileHandleForReading.read(upToCount: 1)
        try #require(write(main, "12345678\n", 9) == 9)
        _ = try prompts.fileHandleForReading.readToEnd()
        #expect(await asking.value == Array("12345678".utf8))
        _ = fcntl(main, F_SETFL, O_NONBLOCK)
        var shown = [UInt8](repeating: 0, count: 256)
        let count = read(main, &shown, shown.count)
        #expect(String(decoding: shown.prefix(max(0, count)), as: UTF8.self) == "\r\n")
    }
}
