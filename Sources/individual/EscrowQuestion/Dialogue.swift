import EscrowConsent
import EscrowDiagnostics
import Glibc

/// Lines that are shown on a terminal, and lines that are typed there, until a moment.
struct Dialogue {
    /// What a typed line comes to.
    enum Reading {
        case reply(ConsentAnswer)
        case ended(ConsentReply)
        case refused(String)
        case unclear
        /// Something was shown: the question stands as it did.
        case again
    }

    enum Line {
        case line([UInt8])
        /// The window was made narrower since the question was shown.
        case narrowed
        case end
        case timeOut
    }

    private let input: Int32
    private let output: Int32
    private let seconds: Int
    private let end: Int64
    private var width: Int
    private let isPainted: Bool
    /// The lines above the question, for a width.
    private let sheet: (Int) -> [String]

    init(input: Int32, output: Int32, seconds: Int, sheet: @escaping (Int) -> [String]) {
        self.input = input
        self.output = output
        self.seconds = seconds
        self.sheet = sheet
        end = Self.now + Int64(seconds) * 1000
        width = TerminalText.columns(of: output) ?? 96
        isPainted = isatty(output) == 1 && getenv("NO_COLOR") == nil && !TerminalText.isSpoken
    }

    /// Shows what the question is about; false where there is no room for it, or nobody to show it to.
    mutating func begin() -> Bool {
        let sheet = sheet
        guard show(sheet) else { return false }
        // What was typed before the question was seen is no answer to it.
        if isatty(input) == 1 { tcflush(input, TCIFLUSH) }
        return true
    }

    /// Shows lines that are laid out for the terminal as it is now.
    mutating func show(_ lines: (Int) -> [String]) -> Bool {
        width = TerminalText.columns(of: output) ?? width
        guard width >= TerminalText.least else {
            _ = say(["too narrow to ask:", "\(TerminalText.least) columns needed"])
            return false
        }
        return say(lines(width))
    }

    /// Asks until a line is a reply; after so many that are none there is no reply.
    mutating func ask(
        _ question: String, attempts: Int, hint: String, read: ([UInt8], inout Dialogue) -> Reading
    ) -> ConsentReply {
        let sheet = sheet
        var left = attempts
        while left > 0 {
            let line = line(after: question)
            switch line {
            case .end: return .none
            case .timeOut: return .timeOut
            case .narrowed:
                guard show({ ["the window is narrower now: look again"] + sheet($0) }) else { return .none }
                left -= 1
            case .line(let line):
                var rest: String
                switch read(line, &self) {
                case .reply(let answer): return .answer(answer)
                case .ended(let reply): return reply
                case .again: continue
                case .refused(let why): rest = why
                case .unclear: rest = hint
                }
                left -= 1
                if left == 0 { rest = "that is no answer: nothing is decided" }
                _ = show { TerminalText.hanging(rest, width: $0) }
            }
        }
        return .none
    }

    /// One line that is typed behind a question.
    mutating func line(after question: String) -> Line {
        guard write(question) else { return .end }
        let line = typed()
        switch line {
        case .end: _ = write("\n")
        case .timeOut: _ = say(["", "no answer in \(seconds) s: nothing is decided"])
        case .line:
            // A narrower window breaks the lines anew, where it will: what was read then may not be what was written.
            if let now = TerminalText.columns(of: output), now < width {
                width = now
                return .narrowed
            }
        case .narrowed: break
        }
        return line
    }

    /// One line, read byte by byte so that nothing beyond it is taken.
    private func typed() -> Line {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let left = end - Self.now
            guard left > 0 else { return .timeOut }
            var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, Int32(clamping: left))
            if ready == 0 || (ready < 0 && errno == EINTR) { continue }
            let count = Glibc.read(input, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return .end }
            if byte == 0x0A { return .line(line) }
            // A line that is too long is unclear; its rest is read all the same.
            if line.count < 256 { line.append(byte) }
        }
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private func say(_ lines: [String]) -> Bool { write(lines.map { painted($0) + "\n" }.joined()) }

    /// What weighs most, in colour, where there is a terminal that has it.
    private func painted(_ line: String) -> String {
        guard isPainted else { return line }
        if line.hasPrefix("  DANGER") { return "\u{1B}[1;31m\(line)\u{1B}[0m" }
        return line.hasPrefix("  NEW ") ? "\u{1B}[1m\(line)\u{1B}[0m" : line
    }

    private func write(_ text: String) -> Bool {
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
