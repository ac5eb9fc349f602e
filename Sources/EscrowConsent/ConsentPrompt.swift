internal import EscrowDiagnostics
import Glibc

/// What the individual answers.
public enum ConsentAnswer: Sendable, Equatable {
    /// Yes, for so long.
    case allow(ScopeChoice)
    /// Yes to less than is asked for, for so long.
    case limit(GrantLimit, ScopeChoice)
    /// Not now.
    case no
    /// No, for so long.
    case deny(ScopeChoice)
    /// Not until it is changed, and the app is not to notice: it is given what it would be given of no data.
    case denyAsEmpty
    /// Compute, and show what would be handed over before it is decided.
    case preview

    /// The word in the ledger.
    public var word: String {
        switch self {
        case .allow(.once): "once"
        case .allow(.always): "always"
        case .allow(let choice): "yes, \(choice.word)"
        // Neither ids nor conditions: both are the individual's data.
        case .limit(let limit, let choice):
            "less, \(choice.word): \(limit.phrases.joined(separator: "; "))"
        case .no: "no"
        case .deny(.always): "never"
        case .deny(let choice): "no, \(choice.word)"
        case .denyAsEmpty: "never, as if empty"
        case .preview: "preview"
        }
    }
}

/// How a question ended.
public enum ConsentReply: Sendable, Equatable {
    /// The individual answered.
    case answer(ConsentAnswer)
    /// The input ended, or nothing clear was typed: nobody has decided.
    case none
    /// Nobody answered in time: nobody has decided.
    case timeOut
}

/// The question at a terminal.
public enum ConsentPrompt {
    /// How often an unclear answer is asked again before it counts as none.
    static let attempts = 3
    /// How long an answer may take.
    public static let seconds = 300

    /// Shows the sheet and asks. No end, no time-out and nothing unclear is ever a yes, nor is it a no.
    ///
    /// `explains` is false where the sheet stands on the terminal already. A time-out counts for the whole question.
    public static func ask(
        _ description: DataflowDescription, why: String? = nil, input: Int32, output: Int32,
        explains: Bool = true, seconds: Int = seconds
    ) -> ConsentReply {
        let words =
            ["once", "today", "always", "limit", "no", "never"]
            + (description.sends ? [] : ["preview"])
        return question(
            { width, isAgain in
                (explains || isAgain ? description.explain(width: width) : [])
                    + (why.map { description.reason($0, width: width) } ?? [])
            },
            "allow? [\(words.joined(separator: " / "))]  ", input, output, seconds: seconds,
            hint:
                "please type once, always, no or never; or today, until 2030-12-31, 5 runs, no today, empty; "
                + "or limit and what is served"
        ) { line in
            switch LimitAnswer.read(String(decoding: line, as: UTF8.self), for: description) {
            case .limit(let limit, let choice)?: return .reply(.limit(limit, choice))
            case .refused(let why)?: return .refused(why)
            case nil: break
            }
            guard let answer = answer(line) else { return .unclear }
            if description.sends {
                // Showing first what has been sent already would be no choice.
                if answer == .preview {
                    return .refused("it sends while it computes: there is no preview before that")
                }
                if answer == .denyAsEmpty {
                    return .refused("it sends: it cannot be denied as if there were no data")
                }
            }
            return .reply(answer)
        }
    }

    /// Asks whether a result that was shown may be handed over: `release`, or `always` for this one and from now on.
    public static func askRelease(input: Int32, output: Int32, seconds: Int = seconds) -> ConsentReply {
        question(
            { _, _ in [] }, "hand over exactly this? [once / always / no / never]  ", input, output,
            seconds: seconds,
            hint: "please type once, always, no or never"
        ) { line in
            switch answer(line) {
            case .preview?, .denyAsEmpty?, .limit?, nil: .unclear
            case let answer?: .reply(answer)
            }
        }
    }

    private enum Reading {
        case reply(ConsentAnswer)
        case refused(String)
        case unclear
    }

    /// `text` gives the lines above the question for a width, the whole sheet if they are shown again.
    private static func question(
        _ text: (Int, Bool) -> [String], _ question: String, _ input: Int32, _ output: Int32, seconds: Int,
        hint: String, read: ([UInt8]) -> Reading
    ) -> ConsentReply {
        var width = TerminalText.columns(of: output) ?? 96
        func say(_ lines: [String]) -> Bool { write(lines.map { $0 + "\n" }.joined(), to: output) }
        guard width >= TerminalText.least else {
            _ = say(["too narrow to ask:", "\(TerminalText.least) columns needed"])
            return .none
        }
        guard say(text(width, false)) else { return .none }
        // What was typed before the question was seen is no answer to it.
        if isatty(input) == 1 { tcflush(input, TCIFLUSH) }
        let end = monotonicMilliseconds() + Int64(seconds) * 1000
        for attempt in 1...attempts {
            guard write(question, to: output) else { return .none }
            switch readLine(from: input, until: end) {
            case .end:
                _ = write("\n", to: output)
                return .none
            case .timeOut:
                _ = say(["", "no answer in \(seconds) s: nothing is decided"])
                return .timeOut
            case .line(let line):
                // A window made narrower breaks the lines anew, where it will: what was read then may not be what was written.
                let now = TerminalText.columns(of: output) ?? width
                if now < width {
                    width = now
                    guard now >= TerminalText.least,
                        say(["the window is narrower now: look again"] + text(now, true))
                    else { return .none }
                    continue
                }
                var rest = attempt == attempts ? "that is no answer: nothing is decided" : hint
                switch read(line) {
                case .reply(let answer): return .answer(answer)
                case .refused(let why): if attempt < attempts { rest = why }
                case .unclear: break
                }
                _ = say(TerminalText.hanging(rest, width: TerminalText.columns(of: output)))
            }
        }
        return .none
    }

    /// Asks at the terminal of this process, `/dev/tty`, even where its input and output are redirected; none where
    /// there is no terminal.
    public static func askAtTerminal(
        _ description: DataflowDescription, why: String? = nil, explains: Bool = true
    ) -> ConsentReply {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return .none }
        defer { close(terminal) }
        return ask(description, why: why, input: terminal, output: terminal, explains: explains)
    }

    /// Whole words, or the first letters of three; anything else, `y` included, is not clear enough.
    static func answer(_ line: [UInt8]) -> ConsentAnswer? {
        let text = String(decoding: line, as: UTF8.self).lowercased()
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\r\n" })
            .map(String.init)
        switch words {
        case ["o"]: return .allow(.once)
        case ["a"]: return .allow(.always)
        case ["n"], ["no"]: return .no
        case ["never"]: return .deny(.always)
        case ["empty"]: return .denyAsEmpty
        case ["p"], ["preview"]: return .preview
        default:
            if words.first == "no" {
                // `no always` and `no once` have words of their own.
                switch ScopeChoice(words: Array(words.dropFirst())) {
                case .always?, .once?, nil: return nil
                case let choice?: return .deny(choice)
                }
            }
            return ScopeChoice(words: words).map(ConsentAnswer.allow)
        }
    }

    private enum Line {
        case line([UInt8])
        case end
        case timeOut
    }

    /// One line, read byte by byte so that nothing beyond it is taken.
    private static func readLine(from input: Int32, until end: Int64) -> Line {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let left = end - monotonicMilliseconds()
            guard left > 0 else { return .timeOut }
            var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, Int32(clamping: left))
            if ready == 0 || (ready < 0 && errno == EINTR) { continue }
            let count = read(input, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return .end }
            if byte == 0x0A { return .line(line) }
            // A line that is too long is unclear; its rest is read all the same.
            if line.count < 256 { line.append(byte) }
        }
    }

    private static func monotonicMilliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
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
