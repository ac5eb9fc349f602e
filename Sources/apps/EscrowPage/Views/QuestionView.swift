public import EscrowConsent
public import EscrowHost
import EscrowQuestion
import EscrowTrust

/// A question that waits, in the words that a terminal would have, with the same choices.
public struct QuestionView: Sendable {
    let id: String
    let since: String
    let app: String
    let title: String
    let alarms: [String]
    let rows: [(label: String, text: String)]
    let sheet: [(label: String, text: String)]
    let reads: [(table: String, columns: [String])]
    let sends: Bool

    /// What the app would have been given at a moment.
    public struct Sight: Sendable {
        let preview: ResultPreview
        let time: String
        /// Of the question that it was computed for.
        let digest: String

        public init(_ preview: ResultPreview, at time: ConsentTime, digest: String) {
            self.preview = preview
            self.time = time.description
            self.digest = digest
        }
    }

    public init(_ request: UndecidedRequest, counts: [String: RowCount] = [:]) {
        id = request.id
        since = request.since
        let description = request.description
        app = description.app
        title = description.questionTitle
        alarms = description.alarms
        rows = description.questionRows(
            request.decision.reason, why: request.decision.why, changes: request.decision.changes,
            rows: counts)
        sheet = description.sheetRows
        reads = description.reads.map { ($0.table, $0.returned + $0.used) }
        sends = description.sends
    }

    /// What an answer is given to: other words are another question, and so is another manifest, of which long lists leave out
    /// something. The counts are estimates, and are left out.
    public static func digest(of request: UndecidedRequest) -> String {
        let description = request.description
        let rows = description.questionRows(
            request.decision.reason, why: request.decision.why, changes: request.decision.changes)
        let words =
            [description.plugin.manifestDigest, description.questionTitle] + description.alarms
            + (rows + description.sheetRows).flatMap { [$0.label, $0.text] }
        return Digest(of: Array(words.joined(separator: "\u{1F}").utf8)).hexadecimal
    }

    /// The question as a card. `digest` is of what is shown; `sight` is what the app would be given, where it was looked at.
    public func html(_ proof: String, digest: String, sight: Sight?) -> HTML {
        // What was computed for another question says nothing of this one.
        let sight = sight.flatMap { $0.digest == digest ? $0 : nil }
        let heading = "question-\(id)"
        func answer(_ text: String, _ value: String, _ mark: String = "plain") -> HTML {
            Form.button(text, value: value, mark: mark, of: Words.short(app))
        }
        let hidden = [("id", id), ("seen", digest)]
        return element(
            .article, [.marks("question"), .labelled(by: heading)],
            element(.h2, [.id(heading)], element(.bdi, [], HTML(title))),
            element(
                .p, [.marks("who")], "as ", element(.code, [], element(.bdi, [], HTML(Words.short(app)))),
                ", since \(Words.time(since)) UTC"),
            .all(alarms.map { element(.p, [.marks("danger")], element(.strong, [], "Danger: "), HTML($0)) }),
            Form.rows(rows),
            shown(sight),
            Form.post(
                Address("/answer"), proof, hidden,
                element(
                    .div, [.marks("answers"), .role("group"), .label("Answers")],
                    answer("Once", "once"), answer("Today", "today"), answer("Always", "always"),
                    answer("No", "no"), answer("Never", "never"))),
            sends
                ? ""
                : Form.post(
                    Address("/preview"), proof, hidden,
                    answer(
                        sight == nil ? "Show exactly what it would get" : "Show it as it is now", "preview",
                        "quiet")),
            less(proof, hidden),
            other(proof, hidden),
            element(
                .details, [], element(.summary, [], "All details"),
                Form.rows(sheet)))
    }

    private func shown(_ sight: Sight?) -> HTML {
        guard let sight else { return "" }
        let preview = sight.preview
        let head =
            "This is what the app would have been given at \(Words.time(sight.time)) UTC, \(preview.bytes.count) bytes of \(preview.mediaType). If your data changes, so does what it gets."
        return element(
            .section, [.marks("preview"), .label("Preview")], element(.p, [], HTML(head)),
            preview.isReadable
                ? element(
                    .pre, [.focusable, .label("Result")], HTML(PlainText.verbatim(preview.bytes)))
                : element(.p, [], "Bytes that are no text; sha256 \(Digest(of: preview.bytes).hexadecimal)"))
    }

    /// A yes to less: columns left out, fewer rows, a condition.
    private func less(_ proof: String, _ hidden: [(String, String)]) -> HTML {
        var fields: [HTML] = []
        for (index, use) in reads.enumerated() {
            let table = Words.table(use.table)
            let boxes = use.columns.enumerated().map { place, column in
                element(
                    .label, [.marks("choice")],
                    element(
                        .input,
                        [.type("checkbox"), .name("without"), .value("\(index).\(place)")]),
                    HTML(Words.short(column)))
            }
            let (first, some) = ("first-\(id)-\(index)", "where-\(id)-\(index)")
            fields += [
                element(
                    .fieldset, [], element(.legend, [], "Of your \(table), leave out"), .all(boxes)),
                element(
                    .p, [],
                    element(.label, [.belongs(to: first)], "Only the first so many rows of \(table)"),
                    element(.input, [.id(first), .name("first\(index)"), .type("number")])),
                element(
                    .p, [],
                    element(
                        .label, [.belongs(to: some)],
                        "Only rows of \(table) for which this SQL condition holds"),
                    element(.input, [.id(some), .name("where\(index)"), .noSpelling])),
            ]
        }
        return element(
            .details, [], element(.summary, [], "Allow less"),
            Form.post(
                Address("/less"), proof, hidden, .all(fields),
                element(
                    .div, [.marks("answers"), .role("group"), .label("Allow less, for how long")],
                    Form.button("Less, once", value: "once", of: Words.short(app)),
                    Form.button("Less, today", value: "today", of: Words.short(app)),
                    Form.button("Less, always", value: "always", of: Words.short(app)))))
    }

    private func other(_ proof: String, _ hidden: [(String, String)]) -> HTML {
        let field = "other-\(id)"
        return element(
            .details, [], element(.summary, [], "Other answers"),
            Form.post(
                Address("/answer"), proof, hidden,
                element(
                    .label, [.belongs(to: field)], "As at the terminal: until 2030-12-31, 5 runs, no today"),
                element(.input, [.id(field), .name("answer"), .required, .noSpelling]),
                element(.button, [.type("submit"), .marks("plain")], "Answer so")),
            sends
                ? ""
                : Form.post(
                    Address("/answer"), proof, hidden,
                    element(.p, [], "The app is given what it would get of no data, and does not notice."),
                    Form.button("As if there were no data", value: "empty", of: Words.short(app))))
    }
}
