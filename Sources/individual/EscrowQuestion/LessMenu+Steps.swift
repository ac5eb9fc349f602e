import EscrowConsent
import EscrowDiagnostics
import EscrowMinimisation

/// The steps of the menu of less: what is typed, as a limit.
extension LessMenu {
    /// A column is left out.
    func column(_ rest: String, _ talk: inout Dialogue) -> Outcome {
        Self.given(rest, "leave out which, by its number or its name: ", &talk) { text in
            guard let column = column(named: text) else { return .unclear(Self.noColumn) }
            return .chosen(limit.joined(with: Self.limit(.drop, column)))
        }
    }

    /// A column is made less exact, in one of the ways that people want such a column, or by a term.
    func coarser(_ rest: String, _ talk: inout Dialogue) -> Outcome {
        var asked = talk
        let outcome = Self.given(rest, "make which less exact, by its number or its name: ", &asked) { text in
            if text.contains("(") { return term(text) }
            guard let column = column(named: text) else { return .unclear(Self.noColumn) }
            return way(of: column, &talk)
        }
        return outcome
    }

    private func way(of column: ColumnExample, _ talk: inout Dialogue) -> Outcome {
        let choices = column.coarserChoices
        let examples = choices.map { transform in
            let served = try? served(limit.joined(with: Self.limit(transform, column)))
            return served?.first { $0.table == column.table && $0.name == column.name }?.value
        }
        let shown = talk.show { width in
            zip(choices, examples).enumerated().flatMap { place, way in
                let served = way.1.map { PlainText.quoted($0) } ?? "nothing"
                let value = way.0.isDropped || column.plain == nil ? "" : ": " + served
                return TerminalText.row(
                    String(place + 1), way.0.words(for: column.name) + value, indent: 7, width: width)
            }
        }
        guard shown else { return .ended(.none) }
        switch Self.typed(after: "how, by its number: ", &talk) {
        case .again: return .again
        case .ended(let reply): return .ended(reply)
        case .text(let text):
            if text.contains("(") { return term(text) }
            guard let number = Int(text), choices.indices.contains(number - 1) else {
                return .unclear("that is none of these numbers")
            }
            return .chosen(limit.joined(with: Self.limit(choices[number - 1], column)))
        }
    }

    /// A term as minimisation has it, with the table in front where there is one alone and it was left out.
    private func term(_ text: String) -> Outcome {
        let reads = question.description.reads
        let open = text.firstIndex(of: "(") ?? text.startIndex
        let inner = text[open...].prefix { $0 != "," }
        let whole =
            reads.count == 1 && !inner.contains(".")
            ? text[...open] + reads[0].table + "." + String(text[text.index(after: open)...]).trimmed
            : text[...]
        return typed("coarser \(whole)")
    }

    /// Some rows alone: the first so many of them.
    func fewer(_ rest: String, _ talk: inout Dialogue) -> Outcome {
        let reads = question.description.reads
        let example = reads.count == 1 ? "" : ", as \(reads.first?.table ?? "TABLE")=100"
        return Self.given(rest, "how many rows\(example): ", &talk) { text in
            typed("first " + (reads.count == 1 && !text.contains("=") ? "\(reads[0].table)=\(text)" : text))
        }
    }

    /// Some records alone: those that meet a condition, or that are picked from a list.
    func some(_ rest: String, _ talk: inout Dialogue) -> Outcome {
        let canPick = (try? question.records(""))?.isEmpty == false
        let reads = question.description.reads
        let condition = conditionExample
        let ask = canPick ? "words to look for, or a condition as \(condition): " : "which, as \(condition): "
        var asked = talk
        return Self.given(rest, ask, &asked) { text in
            guard Self.isCondition(text) else {
                return canPick ? pick(text, &talk) : .unclear("that is no condition, such as \(condition)")
            }
            // SQL would subtract, and serve more than was meant.
            if let date = Self.bareDate(in: text) {
                return .unclear("a date stands in single quotes: '\(date)'")
            }
            return typed(
                "where " + (reads.count == 1 && !text.contains(":") ? "\(reads[0].table): \(text)" : text))
        }
    }

    /// A condition on the column that people would think of: words before times, times before numbers, an id last.
    private var conditionExample: String {
        let known = before.filter { !$0.name.lowercased().hasSuffix("id") }
        let order: [ColumnExample.Kind] = [.text, .moment, .real, .integer]
        let column = order.lazy.compactMap { kind in known.first { $0.kind == kind } }.first
        return (column ?? before.first)?.conditionExample ?? "COLUMN LIKE 'A%'"
    }

    /// A date outside quotes.
    private static func bareDate(in text: String) -> Substring? {
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        let bare = parts.enumerated().lazy.filter { $0.offset % 2 == 0 }.map(\.element)
        return bare.compactMap { $0.firstMatch(of: /\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b/)?.output }.first
    }

    private static func isCondition(_ text: String) -> Bool {
        let words = Set(text.lowercased().split(separator: " ").map(String.init))
        return text.contains { "=<>".contains($0) }
            || !words.isDisjoint(with: ["like", "in", "between", "is", "glob"])
    }

    private func pick(_ words: String, _ talk: inout Dialogue) -> Outcome {
        let found: [RecordExample]
        do throws(Diagnostic) { found = try question.records(words) } catch { return .unclear(error.message) }
        guard !found.isEmpty else { return .unclear("nothing has these words") }
        let shown = talk.show { width in
            found.enumerated().flatMap { place, record in
                TerminalText.row(
                    String(place + 1), PlainText.quoted(record.words), indent: 7, width: width)
            }
        }
        guard shown else { return .ended(.none) }
        switch Self.typed(after: "which, by their numbers: ", &talk) {
        case .again: return .again
        case .ended(let reply): return .ended(reply)
        case .text(let text):
            let numbers = text.split { $0 == " " || $0 == "," }.map { Int($0) ?? 0 }
            guard !numbers.isEmpty, numbers.allSatisfy({ found.indices.contains($0 - 1) }) else {
                return .unclear("these are no numbers of the list")
            }
            var picked = GrantLimit()
            for number in numbers {
                let record = found[number - 1]
                picked.rows[record.table, default: .init(ids: [])].ids?.append(record.id)
            }
            return .chosen(limit.joined(with: picked))
        }
    }

    /// A part as it can be typed at the question itself.
    private func typed(_ part: String) -> Outcome {
        guard
            case .limit(let more, _)? = LimitAnswer.read("limit once \(part)", for: question.description)
        else { return .unclear("that is none of its columns, tables or terms") }
        return .chosen(limit.joined(with: more))
    }

    private func column(named text: String) -> ColumnExample? {
        if let number = Int(text) { return before.indices.contains(number - 1) ? before[number - 1] : nil }
        let name = text.lowercased()
        let found = before.filter {
            [$0.name, "\($0.table).\($0.name)"].contains { $0.lowercased() == name }
        }
        return found.count == 1 ? found[0] : nil
    }

    private static func limit(_ transform: ColumnTransform, _ column: ColumnExample) -> GrantLimit {
        var limit = GrantLimit()
        limit.coarser.add(transform, to: column.name, of: column.table)
        return limit
    }

    private static let noColumn =
        "that is none of its columns; one of several tables is typed as TABLE.COLUMN"
}
