import EscrowConsent
import EscrowDiagnostics
import EscrowMinimisation

/// The menu by which the individual allows less than was asked for. After each step it shows what would be served: a value of each
/// column, and how many rows.
struct LessMenu {
    /// What a step comes to.
    enum Outcome {
        case chosen(GrantLimit)
        case unclear(String)
        /// The question is asked anew, since it may not be what was read.
        case again
        case ended(ConsentReply)
    }

    /// What was typed behind a question.
    enum Typed {
        case text(String)
        case again
        case ended(ConsentReply)
    }

    let question: ConsentQuestion
    let all: [String: RowCount]
    private(set) var rows: [String: RowCount]
    /// The columns as they are, and as they would be served.
    let before: [ColumnExample]
    private(set) var after: [ColumnExample]
    /// What was chosen so far, each with all that came before it.
    private var steps: [GrantLimit] = []
    private(set) var choice = ScopeChoice.once

    var limit: GrantLimit { steps.last ?? GrantLimit() }

    init(_ question: ConsentQuestion, rows: [String: RowCount]) {
        self.question = question
        all = rows
        self.rows = rows
        let known = (try? question.examples(GrantLimit())) ?? []
        before = question.description.reads.flatMap { use in
            (use.returned + use.used).map { name in
                known.first { $0.table == use.table && $0.name == name }
                    ?? ColumnExample(table: use.table, name: name, kind: .other, value: nil)
            }
        }
        after = before
    }

    /// Lets the individual choose. Back at the question nothing is kept.
    mutating func choose(_ talk: inout Dialogue) -> Dialogue.Reading {
        var left = ConsentPrompt.attempts
        while left > 0 {
            guard talk.show(lines) else { return .ended(.none) }
            let typed: String
            switch Self.typed(after: "less? ", &talk) {
            case .ended(let reply): return .ended(reply)
            case .again: continue
            case .text(let text): typed = text
            }
            let word = typed.prefix { !$0.isWhitespace }
            let rest = String(typed.dropFirst(word.count)).trimmed
            let outcome: Outcome
            switch word.lowercased() {
            case "c", "columns", "column": outcome = column(rest, &talk)
            case "r", "coarser": outcome = coarser(rest, &talk)
            case "f", "fewer": outcome = fewer(rest, &talk)
            case "s", "some": outcome = some(rest, &talk)
            case "h", "how": outcome = howLong(rest, &talk)
            case "u", "undo": outcome = undo()
            case "y", "yes":
                guard limit.isEmpty else { return .reply(.limit(limit, choice)) }
                outcome = .unclear("nothing is left out yet")
            case "n", "no": return .reply(.no)
            case "b", "back", "q", "quit": return talk.begin() ? .again : .ended(.none)
            default: outcome = .unclear("please type a letter or a word of these")
            }
            switch settle(outcome) {
            case .chosen: left = ConsentPrompt.attempts
            case .again: continue
            case .ended(let reply): return .ended(reply)
            case .unclear(let problem):
                left -= 1
                _ = talk.show { TerminalText.hanging(PlainText.neutral(problem), width: $0) }
            }
        }
        return .ended(.none)
    }

    /// Takes a step up, if it can be served.
    private mutating func settle(_ outcome: Outcome) -> Outcome {
        guard case .chosen(let next) = outcome, next != limit else { return outcome }
        do throws(Diagnostic) {
            rows = try question.count(next)
            after = try served(next)
        } catch { return .unclear(error.message) }
        steps.append(next)
        return outcome
    }

    private mutating func undo() -> Outcome {
        guard steps.popLast() != nil else { return .unclear("nothing is left out yet") }
        rows = (try? question.count(limit)) ?? all
        after = (try? served(limit)) ?? before
        return .chosen(limit)
    }

    private mutating func howLong(_ rest: String, _ talk: inout Dialogue) -> Outcome {
        let words = rest.lowercased().hasPrefix("long") ? String(rest.dropFirst(4)).trimmed : rest
        return Self.given(words, "how long, once, today, always, 5 runs or until 2030-12-31: ", &talk) {
            text in
            guard let choice = ScopeChoice(words: ConsentPrompt.words(Array(text.utf8))) else {
                return .unclear("please type once, today, always, 5 runs or until 2030-12-31")
            }
            self.choice = choice
            return .chosen(limit)
        }
    }

    /// The columns, as they would be served under a limit.
    func served(_ limit: GrantLimit) throws(Diagnostic) -> [ColumnExample] {
        let known = try question.examples(limit)
        return before.map { column in
            known.first { $0.table == column.table && $0.name == column.name } ?? column
        }
    }

    /// What stood behind the letter already, else what is typed behind a question, and what it comes to.
    static func given(
        _ rest: String, _ ask: String, _ talk: inout Dialogue, _ take: (String) -> Outcome
    ) -> Outcome {
        guard rest.isEmpty else { return take(rest) }
        switch typed(after: ask, &talk) {
        case .text(let text): return take(text)
        case .again: return .again
        case .ended(let reply): return .ended(reply)
        }
    }

    static func typed(after question: String, _ talk: inout Dialogue) -> Typed {
        switch talk.line(after: question) {
        case .end: .ended(.none)
        case .timeOut: .ended(.timeOut)
        case .narrowed: .again
        case .line(let bytes): .text(String(decoding: bytes, as: UTF8.self).trimmed)
        }
    }
}
