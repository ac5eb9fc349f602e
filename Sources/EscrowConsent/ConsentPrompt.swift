import Glibc

/// What the individual answers.
public enum ConsentAnswer: String, Sendable, CaseIterable {
    /// For this run.
    case once
    /// Until it is revoked.
    case always
    /// Not now.
    case no
    /// Not until it is revoked.
    case never
}

/// The question at a terminal.
public enum ConsentPrompt {
    /// How often an unclear answer is asked again before it counts as no.
    static let attempts = 3

    /// Shows the sheet and asks; nil where the input ends without an answer, which is never a yes.
    ///
    /// `explains` is false where the sheet stands on the terminal already.
    public static func ask(
        _ description: DataflowDescription, why: String? = nil, input: Int32, output: Int32,
        explains: Bool = true
    ) -> ConsentAnswer? {
        var text = explains ? description.explain().joined(separator: "\n") + "\n" : ""
        if let why { text += PlainText.neutral(why, longest: 1000) + "\n" }
        guard write(text, to: output) else { return nil }
        // What was typed before the question was seen is no answer to it.
        if isatty(input) == 1 { tcflush(input, TCIFLUSH) }
        for attempt in 1...attempts {
            guard write("allow? [once / always / no / never]  ", to: output), let line = readLine(from: input)
            else {
                _ = write("\n", to: output)
                return nil
            }
            if let answer = answer(line) { return answer }
            let rest = attempt == attempts ? "that counts as no" : "please type once, always, no or never"
            _ = write("\(rest)\n", to: output)
        }
        return .no
    }

    /// Asks at the terminal of this process, `/dev/tty`, even where its input and output are redirected; nil where there
    /// is none.
    public static func askAtTerminal(
        _ description: DataflowDescription, why: String? = nil, explains: Bool = true
    ) -> ConsentAnswer? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        return ask(description, why: why, input: terminal, output: terminal, explains: explains)
    }

    /// Whole words, or the first letters of those that say no; anything else, `y` included, is not clear enough.
    static func answer(_ line: [UInt8]) -> ConsentAnswer? {
        let word = String(decoding: line, as: UTF8.self).lowercased()
        let trimmed = word.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" && $0 != "\r" }
        let rest = word.drop { $0 == " " || $0 == "\t" }.dropFirst(trimmed.count)
        guard rest.allSatisfy({ $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }) else { return nil }
        switch trimmed {
        case "o": return .once
        case "a": return .always
        case "n": return .no
        default: return ConsentAnswer(rawValue: String(trimmed))
        }
    }

    /// One line, read byte by byte so that nothing beyond it is taken; nil at the end of the input.
    private static func readLine(from input: Int32) -> [UInt8]? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(input, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            if byte == 0x0A { return line }
            // A line that is too long is unclear; its rest is read all the same.
            if line.count < 256 { line.append(byte) }
        }
    }

    private static func write(_ text: String, to output: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
