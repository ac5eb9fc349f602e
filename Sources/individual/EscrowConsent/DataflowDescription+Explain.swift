internal import EscrowDiagnostics
internal import EscrowManifest
internal import EscrowMinimisation

extension DataflowDescription {
    /// The sheet: what the individual reads before deciding, for a terminal of so many columns.
    ///
    /// No word of an app's or a publisher's begins a line of it, however narrow the terminal is: each stands behind a label,
    /// or behind the indent or the mark of the line before. Records have the words as they are laid out for 96 columns.
    public func explain(width: Int = 96) -> [String] {
        TerminalText.hanging("an app asks for this:", width: width)
            + alarmLines(indent: Self.indent, width: width)
            + sheetRows.flatMap {
                TerminalText.row($0.label, $0.text, indent: Self.indent, width: width)
            }
    }

    /// The sheet's rows below its alarms: a label of ours, and what it says, neutral already.
    public var sheetRows: [(label: String, text: String)] {
        var lines: [(label: String, text: String)] = []
        func row(_ label: String, _ text: String) { lines.append((label, text)) }
        row("app", PlainText.neutral(self.app, longest: 128))
        if !leaves.isEmpty { row("LEAVES HERE", PlainText.whole(leaves)) }
        row("known by", self.proof.words)
        if !appWords.isEmpty { row("the app says", PlainText.quoted(appWords)) }
        row("reads", columns(\.returned, none: "no column of its own"))
        if self.reads.contains(where: { !$0.used.isEmpty }) {
            row("also uses", columns(\.used, none: "") + ", to filter, join or sort")
        }
        for table in self.minimisation.words {
            row("but only", PlainText.neutral(table, longest: 600))
        }
        if !opens.isEmpty { row("opens", PlainText.whole(opens)) }
        row(
            "purpose",
            "\(PlainText.quoted(self.purpose.text)) (\(PlainText.neutral(self.purpose.code, longest: 64)))")
        row(
            "computed by",
            "\(PlainText.neutral(self.plugin.id, longest: 128)) \(PlainText.neutral(self.plugin.version, longest: 64)) by "
                + "\(PlainText.quoted(publisher)) (key \(PlainText.neutral(self.plugin.signerKeyID))), "
                + "on \(PlainText.neutral(self.place.words))")
        if let told = self.parameters, !told.isEmpty {
            row(
                "told", told.map { PlainText.neutral($0, longest: 64) }.joined(separator: ", "))
        }
        if !reasons.isEmpty {
            row("because", PlainText.whole(reasons.joined(separator: "; ")))
        }
        for scope in self.identifiers { row("knows you by", scope.words) }
        if !learns.isEmpty { row("learns", learned()) }
        row("returns", PlainText.whole(returns))
        if egress.isEmpty {
            row("sends", "nothing over the network")
        } else {
            for sentence in egress { row("sends", PlainText.whole(sentence)) }
        }
        row("capacity", PlainText.whole(capacity))
        row("goes to", PlainText.neutral(self.target))
        if !zone.isEmpty { row("trust zone", PlainText.whole(zone)) }
        row("limits", PlainText.neutral(limits))
        for sentence in rules { row("your rules", PlainText.neutral(sentence)) }
        for sentence in warnings { row("warning", PlainText.whole(sentence)) }
        return lines
    }

    /// The lines of the sheet that a terminal shows in red.
    package func alarmLines(indent: Int, width: Int) -> [String] {
        let lines = alarms.flatMap {
            TerminalText.row("DANGER", PlainText.neutral($0), indent: indent, width: width)
        }
        guard !TerminalText.isSpoken else { return lines }
        let label = "  DANGER"
        return lines.map {
            $0.hasPrefix(String(repeating: " ", count: indent)) ? label + $0.dropFirst(label.count) : $0
        }
    }

    /// The publisher's sentences on what the app learns, or so many of them.
    package func learned(most: Int = .max) -> String {
        Brief.list(learns.map { PlainText.quoted($0) }, most: most, "thing")
    }

    private func columns(_ path: KeyPath<TableUse, [String]>, none: String) -> String {
        let tables = self.reads.filter { !$0[keyPath: path].isEmpty }
        if tables.isEmpty, !self.reads.isEmpty, path == \.returned {
            return "how many rows there are in "
                + self.reads.map { PlainText.neutral($0.table) }.joined(separator: ", ")
        }
        guard !tables.isEmpty else { return none }
        return tables.map { use in
            let names = use[keyPath: path].map { PlainText.neutral($0, longest: 64) }
            return "\(PlainText.neutral(use.table, longest: 64)): \(names.joined(separator: ", "))"
        }.joined(separator: "; ")
    }

    private static let indent = 15
}
