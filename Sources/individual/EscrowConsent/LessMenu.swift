import EscrowDiagnostics
import EscrowMinimisation

/// Less than what is asked for, chosen step by step, with what each step comes to.
struct LessMenu {
    /// What can be set, with what asks for it.
    private enum Part: String {
        case columns = "leave out: "
        case coarser = "coarser: "
        case fewer = "how many: "
        case some = "which: "
        case howLong = "how long: "
    }

    private let question: ConsentQuestion
    private let all: [String: RowCount]
    private var rows: [String: RowCount]
    /// The parts of the limit, as `LimitAnswer` reads them.
    private var parts: [String] = []
    private var limit = GrantLimit()
    private var choice = ScopeChoice.once

    init(_ question: ConsentQuestion, rows: [String: RowCount]) {
        self.question = question
        all = rows
        self.rows = rows
    }

    /// Lets the individual choose. Back at the question nothing is kept.
    mutating func choose(_ talk: inout Dialogue) -> Dialogue.Reading {
        var left = ConsentPrompt.attempts
        while left > 0 {
            guard talk.show(lines) else { return .ended(.none) }
            let line: [UInt8]
            switch talk.line(after: "less? ") {
            case .end: return .ended(.none)
            case .timeOut: return .ended(.timeOut)
            case .narrowed: continue
            case .line(let typed): line = typed
            }
            let part: Part
            switch ConsentPrompt.words(line) {
            case ["c"], ["columns"]: part = .columns
            case ["r"], ["coarser"]: part = .coarser
            case ["f"], ["fewer"]: part = .fewer
            case ["s"], ["some"]: part = .some
            case ["h"], ["how", "long"]: part = .howLong
            case ["y"], ["yes"]:
                guard limit.isEmpty else { return .reply(.limit(limit, choice)) }
                left -= 1
                _ = talk.show { TerminalText.hanging("nothing is left out yet", width: $0) }
                continue
            case ["n"], ["no"]: return .reply(.no)
            case ["b"], ["back"], ["q"], ["quit"]: return talk.begin() ? .again : .ended(.none)
            default:
                left -= 1
                continue
            }
            switch talk.line(after: part.rawValue) {
            case .end: return .ended(.none)
            case .timeOut: return .ended(.timeOut)
            case .narrowed: continue
            case .line(let typed):
                if let problem = take(typed, as: part) {
                    left -= 1
                    _ = talk.show { TerminalText.hanging(problem, width: $0) }
                } else {
                    left = ConsentPrompt.attempts
                }
            }
        }
        return .ended(.none)
    }

    /// Takes a part up; says why it cannot be.
    private mutating func take(_ typed: [UInt8], as part: Part) -> String? {
        if part == .howLong {
            guard let choice = ScopeChoice(words: ConsentPrompt.words(typed)) else {
                return "please type once, today, always, 5 runs or until 2030-12-31"
            }
            self.choice = choice
            return nil
        }
        let next = parts + [spelled(String(decoding: typed, as: UTF8.self).trimmed, part)]
        guard
            case .limit(let limit, _)? = LimitAnswer.read(
                "limit once " + next.joined(separator: "; "), for: question.description)
        else { return "that is none of its columns, tables or terms" }
        do throws(Diagnostic) { rows = try question.count(limit) } catch { return error.message }
        (self.limit, parts) = (limit, next)
        return nil
    }

    /// What is typed as a part of a limit, with the table in front where there is one table alone and it was left out.
    private func spelled(_ text: String, _ part: Part) -> String {
        func placed(_ mark: String) -> String {
            guard !text.contains(mark), question.description.reads.count == 1 else { return text }
            return question.description.reads[0].table + mark + text
        }
        return switch part {
        case .columns: "without \(placed("."))"
        case .coarser: "coarser \(text)"
        case .fewer: "first \(placed("="))"
        case .some: "where \(placed(":"))"
        case .howLong: text
        }
    }

    /// `c, columns` where brackets would be read aloud.
    private static func heard(_ label: String) -> String {
        guard TerminalText.isSpoken, let letter = label.split(separator: "[").last?.first else {
            return label
        }
        return "\(letter), " + label.filter { $0 != "[" && $0 != "]" }
    }

    private func lines(_ width: Int) -> [String] {
        let reads = question.description.reads
        let columns = reads.flatMap { use in (use.returned + use.used).map { "\(use.table).\($0)" } }
        let table = reads.first?.table ?? "TABLE"
        let served = reads.flatMap { use in
            (use.returned + use.used).filter { !limit.coarser.table(use.table).transform(of: $0).isDropped }
        }
        func counted(_ rows: [String: RowCount]) -> [String] {
            reads.compactMap { use in rows[use.table].map { "\($0.words) rows of \(use.table)" } }
        }
        let effect =
            ["\(served.count) of \(columns.count) columns"] + counted(rows)
            + (rows == all ? [] : ["instead of " + counted(all).joined(separator: ", ")]) + limit.phrases
        let items = [
            ("[c]olumns", "leave one out: \(columns.joined(separator: ", "))"),
            ("coa[r]ser", "make one less exact: truncate(\(columns.first ?? "TABLE.COLUMN"), 3)"),
            ("[f]ewer", "the first so many rows: \(table)=100"),
            ("[s]ome", "rows that meet a condition: \(table): CONDITION, as SQL writes it"),
            ("[h]ow long", "now \(choice.word)"),
            ("[y]es", "allow what is left: \(effect.joined(separator: "; "))"),
            ("[n]o", "not now"),
            ("[b]ack", "to the question"),
        ]
        return items.flatMap {
            TerminalText.row(
                Self.heard($0.0), PlainText.neutral($0.1, longest: 1200), indent: 15, width: width)
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...].drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
