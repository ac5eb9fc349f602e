public import EscrowConsent
import EscrowDiagnostics
import Glibc

/// The question at a terminal.
public enum ConsentPrompt {
    /// How often an unclear answer is asked again before it counts as none.
    static let attempts = 3
    /// How long an answer may take.
    public static let seconds = 300

    /// Shows the question and asks. No end, no time-out and nothing unclear is ever a yes, nor is it a no.
    ///
    /// A time-out counts for the whole question.
    public static func ask(
        _ question: ConsentQuestion, input: Int32, output: Int32, seconds: Int = seconds
    ) -> ConsentReply {
        let rows = (try? question.count(GrantLimit())) ?? [:]
        let description = question.description
        var talk = Dialogue(input: input, output: output, seconds: seconds) { width in
            description.question(
                question.reason, why: question.why, changes: question.changes, rows: rows,
                previews: question.previews, width: width)
        }
        guard talk.begin() else { return .none }
        let previews = question.previews && !description.sends
        let hint =
            "please type a letter or a word of these: o, t, a, n, v, \(previews ? "p, " : "")l or ?; "
            + "also until 2030-12-31, 5 runs, no today or empty"
        return talk.ask("allow? ", attempts: attempts, hint: hint) { line, talk in
            let text = String(decoding: line, as: UTF8.self)
            switch LimitAnswer.read(text, for: description) {
            case .limit(let limit, let choice)?: return .reply(.limit(limit, choice))
            case .refused(let why)?: return .refused(why)
            case nil: break
            }
            switch words(line) {
            case ["?"], ["help"], ["details"]:
                return talk.show { description.explain(width: $0) } ? .again : .ended(.none)
            case ["l"], ["less"]:
                var menu = LessMenu(question, rows: rows)
                return menu.choose(&talk)
            default: break
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
            if answer == .preview, !question.previews {
                return .refused("there is no preview here: it is not run now")
            }
            return .reply(answer)
        }
    }

    /// Asks whether a result that was shown may be handed over: `once`, or `always` for this one and from now on.
    public static func askRelease(input: Int32, output: Int32, seconds: Int = seconds) -> ConsentReply {
        var talk = Dialogue(input: input, output: output, seconds: seconds) { _ in [] }
        guard talk.begin() else { return .none }
        return talk.ask(
            "hand over exactly this? [o]nce [a]lways [n]o ne[v]er  ", attempts: attempts,
            hint: "please type once, always, no or never"
        ) { line, _ in
            switch answer(line) {
            case .preview?, .denyAsEmpty?, .limit?, nil: .unclear
            case let answer?: .reply(answer)
            }
        }
    }

    /// Letters or whole words; anything else is not clear enough.
    static func answer(_ line: [UInt8]) -> ConsentAnswer? {
        let words = words(line)
        switch words {
        case ["o"], ["y"], ["yes"]: return .allow(.once)
        case ["t"]: return .allow(.today)
        case ["a"]: return .allow(.always)
        case ["n"], ["no"]: return .no
        case ["v"], ["never"]: return .deny(.always)
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

    /// What was typed, word by word, in small letters.
    static func words(_ line: [UInt8]) -> [String] {
        String(decoding: line, as: UTF8.self).lowercased()
            .split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\r\n" })
            .map { String($0) }
    }
}

extension ConsentAnswer {
    /// Reads an answer as it is typed at the question; nil for what is none.
    public init?(_ text: String) {
        guard let answer = ConsentPrompt.answer(Array(text.utf8)) else { return nil }
        self = answer
    }
}
