import EscrowConsent
import EscrowDiagnostics
import EscrowMinimisation

/// What the menu of less shows.
extension LessMenu {
    /// What would be served as things stand, and what can be chosen. Values are the individual's own: they asked for them here.
    func lines(_ width: Int) -> [String] {
        let tables = question.description.reads
        var lines = TerminalText.hanging("this is what it would be given:", width: width)
        for table in tables {
            let name = PlainText.neutral(table.table, longest: 64)
            let (now, before) = (rows[table.table]?.words, all[table.table]?.words)
            let told = [now, now == before ? nil : before.map { "of \($0)" }, "rows of \(name)"]
            // Labels are short, since a terminal of twenty columns must not break one.
            lines += TerminalText.row(
                "rows", told.compactMap(\.self).joined(separator: " "), indent: Self.indent, width: width)
            for (place, column) in after.enumerated() where column.table == table.table {
                lines += TerminalText.row(
                    String(place + 1), "\(PlainText.neutral(column.name, longest: 64)): \(value(column))",
                    indent: Self.indent, width: width)
            }
        }
        return lines + [""] + keys(width)
    }

    /// A value as it would be served, and as it is where that is another.
    private func value(_ column: ColumnExample) -> String {
        if limit.coarser.table(column.table).transform(of: column.name).isDropped { return "left out" }
        let now = column.value.map { PlainText.quoted($0) }
        guard let old = column.plain, old != column.value else { return now ?? "(nothing to show)" }
        return "\(now ?? "nothing") in place of \(PlainText.quoted(old))"
    }

    private func keys(_ width: Int) -> [String] {
        let columns = after.count { !limit.coarser.table($0.table).transform(of: $0.name).isDropped }
        let effect =
            ["\(columns) of \(after.count) columns"]
            + question.description.reads.compactMap { use in
                rows[use.table].map { "\($0.words) rows of \(use.table)" }
            } + limit.phrases
        return [
            ("[c]olumns", "leave one out"), ("coa[r]ser", "make one less exact: shows how it would look"),
            ("[f]ewer", "the first so many rows"),
            ("[s]ome", "records that you pick, or that meet a condition"),
            ("[h]ow long", "now \(choice.word)"), ("[u]ndo", "the last of these"),
            ("[y]es", "allow this: \(effect.joined(separator: "; "))"), ("[n]o", "not now"),
            ("[b]ack", "to the question"),
        ].flatMap {
            TerminalText.row(
                Self.heard($0.0), PlainText.neutral($0.1, longest: 1200), indent: 15, width: width)
        }
    }

    /// `c, columns` where brackets would be read aloud.
    private static func heard(_ label: String) -> String {
        guard TerminalText.isSpoken, let letter = label.split(separator: "[").last?.first else {
            return label
        }
        return "\(letter), " + label.filter { $0 != "[" && $0 != "]" }
    }

    private static let indent = 8
}
