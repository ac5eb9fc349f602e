public import EscrowConsent
import EscrowDiagnostics
import EscrowManifest
import EscrowMinimisation

extension DataflowDescription {
    /// The question: who wants to do what, what the app learns and what leaves, for a terminal of so many columns.
    ///
    /// As on the sheet, no word of an app's or a publisher's begins a line.
    func question(
        _ reason: ConsentReason, why: String, changes: [String] = [], rows: [String: RowCount] = [:],
        previews: Bool = true, width: Int
    ) -> [String] {
        var lines = titleLines(width: width) + [""]
        lines += alarmLines(indent: Self.questionIndent, width: width)
        lines += questionRows(reason, why: why, changes: changes, rows: rows).flatMap {
            TerminalText.row($0.label, $0.text, indent: Self.questionIndent, width: width)
        }
        return lines + [""] + keys(previews: previews && !self.sends, width: width)
    }

    /// What stands below the question's first line: a label of ours, and what it says, neutral already. No row is cut: what its lists
    /// leave out they count.
    public func questionRows(
        _ reason: ConsentReason, why: String, changes: [String] = [], rows: [String: RowCount] = [:]
    ) -> [(label: String, text: String)] {
        var lines: [(label: String, text: String)] = []
        func row(_ label: String, _ text: String) { lines.append((label, text)) }
        if !leaves.isEmpty { row("LEAVES HERE", PlainText.whole(leaves)) }
        row("Known by", self.proof.words)
        if !appWords.isEmpty { row("The app says", PlainText.quoted(appWords)) }
        if !learns.isEmpty { row("It learns", learned(most: 12)) }
        row("At most", PlainText.whole(allowance.isEmpty ? returns : allowance))
        row("It never sees", unseen(rows))
        for table in self.minimisation.words { row("But only", PlainText.neutral(table, longest: 600)) }
        if !opens.isEmpty { row("Opens", PlainText.whole(opens)) }
        for scope in self.identifiers { row("Knows you by", scope.words) }
        row(
            "Internet",
            self.sends
                ? PlainText.whole(internet.isEmpty ? "SENDS: see [?]" : internet)
                : "nothing is sent")
        for sentence in rules { row("Your rules", PlainText.neutral(sentence)) }
        for sentence in warnings { row("Warning", PlainText.whole(sentence)) }
        switch reason {
        case .neverAsked: break
        case .wider, .changedPlugin:
            for change in changes.isEmpty ? [why] : changes { row("NEW", PlainText.whole(change)) }
        default: row("Before", PlainText.whole(why))
        }
        return lines
    }

    /// The question's first line: who wants to do what with which data.
    public var questionTitle: String {
        let words = Purpose.Code(rawValue: self.purpose.code)?.verb ?? "compute on"
        return
            "The app \(appName) wants to \(words) \(Self.list(tableNames.map { "your \($0)" }, most: 3))"
    }

    /// What counts besides, for where a few lines fit: how the app is known, what leaves, what it learns. Amounts come before
    /// names, since whoever shows it may cut it.
    public var nutshell: [String] {
        var lines = alarms.map { "DANGER: " + PlainText.neutral($0) }
        lines.append("\(PlainText.neutral(self.app, longest: 128)), \(self.proof.words)")
        if !appWords.isEmpty { lines.append("The app says: \(PlainText.quoted(appWords))") }
        if self.sends { lines.append(internet.isEmpty ? "It SENDS" : PlainText.whole("It " + internet)) }
        let most = PlainText.whole(allowance.isEmpty ? returns : allowance)
        lines.append(
            learns.isEmpty ? "It gets at most \(most)" : "It learns at most \(most): \(learned(most: 4))")
        if !self.sends { lines.append("Nothing is sent") }
        return lines
    }

    /// Who and what on one line; whom that is exactly at its end, or beneath where there is no room.
    private func titleLines(width: Int) -> [String] {
        let app = PlainText.neutral(self.app, longest: 128)
        let title = questionTitle
        let room = width - title.widest - app.widest - 2
        guard room >= 2 else {
            return TerminalText.hanging(title, width: width)
                + TerminalText.hanging("    (\(app))", width: width)
        }
        return [title + String(repeating: " ", count: room) + "(\(app))"]
    }

    /// `Notes` of `org.example.notes`; any other id as it is.
    private var appName: String {
        guard Dataflow.isAppID(self.app), let label = self.app.split(separator: ".").last else {
            return PlainText.quoted(self.app)
        }
        return label.prefix(1).uppercased() + label.dropFirst().prefix(40)
    }

    private var tableNames: [String] {
        self.reads.map { PlainText.neutral(Self.spaced($0.table), longest: 64) }
    }

    /// `browser history` of `BrowserHistory`.
    private static func spaced(_ name: String) -> String {
        if let noun = nouns[name] { return noun }
        var text = ""
        for letter in name {
            if letter.isUppercase, text.last?.isLowercase == true { text += " " }
            text.append(letter)
        }
        return text.lowercased()
    }

    /// Where the rows stay, and who reads what of them.
    private func unseen(_ rows: [String: RowCount]) -> String {
        let names = zip(self.reads, tableNames).map { use, name in
            rows[use.table].map { "your \(Self.many[use.table] ?? name) (\($0.words))" } ?? "your \(name)"
        }
        let columns = self.reads.flatMap { $0.returned + $0.used }.map { PlainText.neutral($0, longest: 64) }
        let what = columns.isEmpty ? "counts them" : "reads their \(Self.list(columns, most: 8))"
        let place = self.place == .device ? "here" : "on \(PlainText.neutral(self.place.words))"
        return "anything else of \(Self.list(names, most: 4)): \(PlainText.quoted(title)) "
            + "\(PlainText.neutral(self.plugin.version, longest: 64)) by \(PlainText.quoted(publisher)) "
            + "\(what) \(place), in a sandbox"
    }

    /// What a table is called, where its name is no word that people use.
    private static let nouns = [
        "ContactPhoneNumbers": "contacts' phone numbers",
        "ContactEmailAddresses": "contacts' e-mail addresses",
        "ContactPostalAddresses": "contacts' postal addresses", "ContactGroups": "groups of contacts",
        "ContactGroupMembers": "groups of contacts", "ContactContainers": "address books",
        "ContactContainerMembers": "address books", "Tracks": "music",
        "MessageRecipients": "messages' recipients", "KeyTable": "exposure keys",
    ]

    /// What several rows of a table are called, where that is another word.
    private static let many = [
        "Location": "places", "BrowserHistory": "visited pages", "Tracks": "pieces of music",
        "ContactGroupMembers": "groups' members", "ContactContainerMembers": "address books' contacts",
    ]

    /// `a, b and c`; `a, b and 7 more`.
    private static func list(_ words: [String], most: Int) -> String {
        guard words.count > 1 else { return words.first ?? "no data" }
        let shown = words.count > most ? Array(words.prefix(most)) + ["\(words.count - most) more"] : words
        return shown.dropLast().joined(separator: ", ") + " and " + shown[shown.count - 1]
    }

    /// What can be typed.
    private func keys(previews: Bool, width: Int) -> [String] {
        if TerminalText.isSpoken {
            let words =
                ["o for once", "t for today", "a for always", "n for no", "v for never"]
                + (previews ? ["p to see first exactly what it gets"] : [])
                + ["l for less", "question mark for all details"]
            return TerminalText.hanging("Type \(words.joined(separator: ", ")).", width: width)
        }
        let preview = !previews ? "" : "[p]review exactly what it gets   "
        return ["  [o]nce  [t]oday  [a]lways   [n]o  ne[v]er", "  \(preview)[l]ess   [?] all details"]
            .flatMap { TerminalText.hanging($0, width: width) }
    }

    private static let questionIndent = 17
}
