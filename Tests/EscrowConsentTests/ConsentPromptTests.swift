import EscrowConsent
import Glibc
import Testing

@Suite struct ConsentPromptTests {
    /// Types at a prompt and says what was answered and shown.
    func type(_ text: String, why: String? = nil, explains: Bool = false) -> (
        answer: ConsentAnswer?, shown: String
    ) {
        var input: [Int32] = [0, 0]
        var output: [Int32] = [0, 0]
        guard pipe(&input) == 0, pipe(&output) == 0 else { return (nil, "") }
        let bytes = Array(text.utf8)
        _ = write(input[1], bytes, bytes.count)
        close(input[1])
        let answer = ConsentPrompt.ask(
            .sample, why: why, input: input[0], output: output[1], explains: explains)
        close(output[1])
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(output[0], &buffer, buffer.count)
        close(input[0])
        close(output[0])
        return (answer, String(decoding: buffer.prefix(max(0, count)), as: UTF8.self))
    }

    @Test(
        arguments: [
            ("once\n", .once), ("always\n", .always), ("no\n", .no), ("never\n", .never), ("  NO \r\n", .no),
            ("o\n", .once),
            ("a\n", .always), ("n\n", .no), ("what\nalways\n", .always),
        ] as [(String, ConsentAnswer)])
    func clearAnswersAreTaken(text: String, answer: ConsentAnswer) { #expect(type(text).answer == answer) }

    @Test(arguments: ["y\ny\ny\n", "yes\n\nsure\n", "once more\nno way\nalways?\n", "nev\n\u{0}\noncе\n"])
    func unclearAnswersCountAsNoAfterThree(text: String) {
        let (answer, shown) = type(text)
        #expect(answer == .no)
        #expect(shown.contains("please type once, always, no or never"))
        #expect(shown.hasSuffix("that counts as no\n"))
    }

    @Test(arguments: ["", "always", "maybe\n", "y\ny\n"])
    func anEndWithoutAnAnswerIsNoAnswer(text: String) { #expect(type(text).answer == nil) }

    @Test func aLineThatIsTooLongIsUnclear() {
        #expect(type("always" + String(repeating: " ", count: 4000) + "\nno\n").answer != nil)
        #expect(type(String(repeating: "x", count: 4000) + "\nno\n").answer == .no)
    }

    @Test func theQuestionFollowsTheSheetAndTheReason() {
        let shown = type("no\n", why: "it is more than you allowed before: it also reads A.b", explains: true)
            .shown
        #expect(
            shown == DataflowDescription.sample.explain().joined(separator: "\n") + "\n"
                + "it is more than you allowed before: it also reads A.b\n"
                + "allow? [once / always / no / never]  ")
    }

    @Test func theReasonCannotPaintEither() {
        #expect(!type("no\n", why: "\u{1B}[2Jhello\n\rallow?").shown.contains("\u{1B}"))
    }
}
