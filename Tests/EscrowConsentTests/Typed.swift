import Glibc
import Testing

@testable import EscrowConsent
@testable import EscrowQuestion

/// A question that is answered by what was typed before.
enum Typed {
    static func ask(_ question: ConsentQuestion, _ text: String) throws -> (
        reply: ConsentReply, shown: String
    ) {
        var input: [Int32] = [0, 0]
        var output: [Int32] = [0, 0]
        try #require(pipe(&input) == 0 && pipe(&output) == 0)
        defer { [input[0], output[0]].forEach { _ = close($0) } }
        let bytes = Array(text.utf8)
        _ = write(input[1], bytes, bytes.count)
        close(input[1])
        let reply = ConsentPrompt.ask(question, input: input[0], output: output[1])
        close(output[1])
        var shown: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(output[0], &buffer, buffer.count), count > 0 {
            shown += buffer.prefix(count)
        }
        return (reply, String(decoding: shown, as: UTF8.self))
    }
}
