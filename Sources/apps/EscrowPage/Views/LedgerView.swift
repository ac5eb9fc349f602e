import EscrowJSON
public import EscrowLedger

/// The record of everything: looked through, searched, verified.
public enum LedgerView {
    /// A part of it, the latest first. `next` is the entry before which the search goes on.
    public static func list(
        _ entries: [LedgerEntry], search: String, next: UInt64?, proof: String, verdict: [String]
    ) -> HTML {
        .all([
            element(
                .form, [.action(Address("/ledger")), .role("search")],
                element(.label, [.belongs(to: "search")], "Search: an app, a plugin, a run, a kind, a word"),
                element(
                    .input, [.id("search"), .name("search"), .value(search), .type("search"), .noSpelling]),
                element(.button, [.type("submit"), .marks("plain")], "Search")),
            Form.post(
                Address("/ledger/verify"), proof, [],
                Form.button("Verify every entry", name: "verify", value: "yes")),
            verdict.isEmpty
                ? ""
                : element(
                    .section, [.marks("trial"), .labelled(by: "verdict")],
                    element(.h2, [.id("verdict")], "Verified"),
                    .all(verdict.map { element(.p, [], HTML($0)) })),
            entries.isEmpty
                ? element(.p, [], "No entry is like that.")
                : Form.table(
                    "Entries", ["No", "Time, UTC", "What", "Run", "Details"],
                    entries.map { entry in
                        [
                            element(
                                .a, [.href(Address("/ledger", "\(entry.sequence)"))], "\(entry.sequence)"),
                            Form.time(Words.time(entry.time)),
                            .all([
                                HTML(words(entry.kind)), " ", element(.code, [], HTML(entry.kind.rawValue)),
                            ]),
                            entry.run.map { element(.a, [.href(Address("/ledger", $0))], HTML($0)) } ?? "",
                            HTML(summary(entry)),
                        ]
                    }),
            next.map {
                element(
                    .p, [],
                    element(
                        .a, [.href(Address("/ledger", asking: [("search", search), ("before", "\($0)")]))],
                        "Older entries"))
            } ?? "",
        ])
    }

    /// Whether an entry is what is searched for: each word stands in it somewhere.
    public static func matches(_ entry: LedgerEntry, _ search: String) -> Bool {
        let sought = search.lowercased().split(separator: " ")
        guard !sought.isEmpty else { return true }
        let text =
            "\(entry.sequence) \(entry.time) \(entry.kind.rawValue) \(words(entry.kind)) \(entry.run ?? "") \(Words.value(entry.fields)) \(summary(entry))"
            .lowercased()
        return sought.allSatisfy { text.contains($0) }
    }

    /// One run told in words, or one entry, with all that is kept.
    public static func one(_ entries: [LedgerEntry], receipt: [String]) -> HTML {
        .all([
            receipt.isEmpty
                ? "" : element(.pre, [.focusable, .label("Receipt")], HTML(receipt.joined(separator: "\n"))),
            .all(
                entries.map { entry in
                    element(
                        .section, [.labelled(by: "entry-\(entry.sequence)")],
                        element(
                            .h2, [.id("entry-\(entry.sequence)")],
                            "\(entry.sequence): \(words(entry.kind)), \(entry.kind.rawValue)"),
                        Form.rows(
                            [("time", "\(entry.time)")]
                                + (entry.reduced.map { [("content", "\($0.way.rawValue) by entry \($0.by)")] }
                                    ?? [])
                                + (entry.fields.members ?? []).map { ($0.name, Words.value($0.value)) }
                                + [("commitment", entry.commitment)]))
                }),
        ])
    }

    /// The fields that matter most, in words.
    static func summary(_ entry: LedgerEntry) -> String {
        if entry.reduced?.way == .erased { return "erased" }
        let names = [
            "app", "plugin", "version", "outcome", "rows", "resultBytes", "code", "answer", "times", "rules",
            "change", "action", "source", "id", "url", "bytes", "what",
        ]
        return names.compactMap { name in
            entry.fields[name].flatMap { value in
                let text = Words.short(Words.value(value))
                return text.isEmpty || value == .null ? nil : self.text(name, text, value.integer)
            }
        }.joined(separator: ", ")
    }

    private static func text(_ name: String, _ text: String, _ number: Int64?) -> String {
        switch name {
        case "version", "rules", "id": "\(name) \(text)"
        case "rows": "\(text) rows read"
        case "times": "\(text) times"
        case "bytes": number.map(Words.bytes) ?? text
        case "resultBytes": "\(number.map(Words.bytes) ?? text) handed over"
        case "answer": answers[text] ?? text
        default: text
        }
    }

    private static let answers = [
        "once": "yes, once", "always": "yes, always", "none": "asked, and not answered",
        "nobody to ask": "nobody was there to answer", "denied before": "denied, as you decided before",
        "permitted by rule": "permitted by a rule of yours",
    ]

    /// What an entry of a kind tells.
    static func words(_ kind: LedgerEntry.Kind) -> String {
        switch kind {
        case .hostCreated: "this host was made"
        case .sourceAdded: "a source of data was added"
        case .sourceRemoved: "a source of data was forgotten"
        case .keyTrusted: "a publisher's key was trusted"
        case .keyRemoved: "a publisher's key is trusted no more"
        case .keyRotated: "a publisher's key took the place of another"
        case .pluginInstalled: "a plugin was installed"
        case .pluginRemoved: "a plugin was removed"
        case .grantChanged: "a decision was made or changed"
        case .decision: "a request was answered"
        case .identifiersReset: "identifiers were made anew"
        case .endpointChanged: "the address of a server of yours was changed"
        case .credentialChanged: "what is kept to log in to a server was changed"
        case .backedUp: "a backup was made"
        case .restored: "all was restored from a backup"
        case .runIntent: "a run began"
        case .egressSent: "a request was sent to the network"
        case .egressAnswered: "a request to the network ended"
        case .egressRefused: "a request was kept from the network"
        case .runEnd: "a run ended"
        case .runInterrupted: "a run was interrupted"
        case .repaired: "the ledger was put in order"
        case .erased: "entries were erased"
        case .decayed: "old entries lost detail"
        case .compacted: "old entries were dropped"
        case .wallLowered: "a wall around plugins was lowered"
        case .restrictionChanged: "somebody else's restriction was changed"
        case .preferencesChanged: "your rules were changed"
        case .locationChanged: "what is told of your places was changed"
        case .serverChanged: "a server was added, renewed or removed"
        }
    }
}
