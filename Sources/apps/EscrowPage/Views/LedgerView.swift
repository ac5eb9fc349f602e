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
                            Form.time(Words.time(entry.time)), HTML(entry.kind.rawValue),
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
        let words = search.lowercased().split(separator: " ")
        guard !words.isEmpty else { return true }
        let text =
            "\(entry.sequence) \(entry.time) \(entry.kind.rawValue) \(entry.run ?? "") \(Words.value(entry.fields))"
            .lowercased()
        return words.allSatisfy { text.contains($0) }
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
                            "\(entry.sequence): \(entry.kind.rawValue)"),
                        Form.rows(
                            [("time", "\(entry.time)")]
                                + (entry.reduced.map { [("content", "\($0.way.rawValue) by entry \($0.by)")] }
                                    ?? [])
                                + (entry.fields.members ?? []).map { ($0.name, Words.value($0.value)) }
                                + [("commitment", entry.commitment)]))
                }),
        ])
    }

    private static func summary(_ entry: LedgerEntry) -> String {
        if entry.reduced?.way == .erased { return "erased" }
        let names = [
            "app", "plugin", "version", "outcome", "rows", "resultBytes", "code", "answer", "rules", "action",
            "source", "id", "url", "bytes",
        ]
        return names.compactMap { name in
            entry.fields[name].flatMap { value in
                let text = Words.value(value)
                return text.isEmpty || value == .null ? nil : "\(name) \(Words.short(text))"
            }
        }.joined(separator: ", ")
    }
}
