internal import EscrowDiagnostics
internal import EscrowMinimisation

extension DataflowDescription {
    /// The sheet: what the individual reads before deciding, a line of at most 96 columns each.
    public func explain() -> [String] {
        var lines = ["\(PlainText.neutral(app, longest: 128)) asks for this:"] + alarmLines
        lines += row("reads", columns(\.returned, none: "no column of its own"))
        if reads.contains(where: { !$0.used.isEmpty }) {
            lines += row("also uses", columns(\.used, none: "") + ", to filter, join or sort")
        }
        for table in minimisation.words { lines += row("but only", PlainText.neutral(table, longest: 600)) }
        lines += row(
            "purpose", "\(PlainText.quoted(purpose.text)) (\(PlainText.neutral(purpose.code, longest: 64)))")
        lines += row(
            "computed by",
            "\(PlainText.neutral(plugin.id, longest: 128)) \(PlainText.neutral(plugin.version, longest: 64)) by "
                + "\(PlainText.quoted(plugin.publisher)) (key \(PlainText.neutral(plugin.signerKeyID))), "
                + "on \(PlainText.neutral(place))")
        if !parameters.isEmpty {
            lines += row(
                "told", parameters.map { PlainText.neutral($0, longest: 64) }.joined(separator: ", "))
        }
        for phrase in identifiers { lines += row("knows you by", PlainText.neutral(phrase)) }
        lines += row("returns", PlainText.neutral(result.summary, longest: 600))
        if egress.isEmpty {
            lines += row("sends", "nothing over the network")
        } else {
            for sentence in egress { lines += row("sends", PlainText.neutral(sentence, longest: 4000)) }
        }
        lines += row("capacity", PlainText.neutral(capacity))
        lines += row("goes to", PlainText.neutral(target))
        if !zone.isEmpty { lines += row("trust zone", PlainText.neutral(zone, longest: 600)) }
        lines += row("limits", PlainText.neutral(limits))
        for sentence in rules { lines += row("your rules", PlainText.neutral(sentence)) }
        for sentence in warnings { lines += row("warning", PlainText.neutral(sentence)) }
        return lines
    }

    /// The lines of the sheet that a terminal shows in red.
    public var alarmLines: [String] {
        let label = "  DANGER"
        return alarms.flatMap { row("DANGER", PlainText.neutral($0)) }
            .map { $0.hasPrefix(label) ? $0 : label + $0.dropFirst(label.count) }
    }

    private func columns(_ path: KeyPath<TableUse, [String]>, none: String) -> String {
        let tables = reads.filter { !$0[keyPath: path].isEmpty }
        if tables.isEmpty, !reads.isEmpty, path == \.returned {
            return "how many rows there are in "
                + reads.map { PlainText.neutral($0.table) }.joined(separator: ", ")
        }
        guard !tables.isEmpty else { return none }
        return tables.map { use in
            let names = use[keyPath: path].map { PlainText.neutral($0, longest: 64) }
            return "\(PlainText.neutral(use.table, longest: 64)): \(names.joined(separator: ", "))"
        }.joined(separator: "; ")
    }

    private static let indent = 15
    private static let width = 96

    /// One label with its text. Long texts go on beneath themselves, never beneath the labels, so that no text can pass
    /// for a line of the sheet.
    private func row(_ label: String, _ text: String) -> [String] {
        let room = Self.width - Self.indent
        var lines: [String] = []
        var line = ""
        var width = 0
        for word in text.split(separator: " ") {
            var word = word[...]
            var wordWidth = word.displayWidth
            if !line.isEmpty, width + 1 + wordWidth > room {
                lines.append(line)
                line = ""
                width = 0
            }
            while wordWidth > room {
                let head = word.displayPrefix(room)
                lines.append(String(head))
                word = word[head.endIndex...]
                wordWidth = word.displayWidth
            }
            width += (line.isEmpty ? 0 : 1) + wordWidth
            line += (line.isEmpty ? "" : " ") + word
        }
        if !line.isEmpty || lines.isEmpty { lines.append(line) }
        return lines.enumerated().map { index, line in
            let left = index == 0 ? "  \(label)" : ""
            return left + String(repeating: " ", count: Self.indent - left.count) + line
        }
    }
}
