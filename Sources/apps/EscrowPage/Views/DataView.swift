public import EscrowConsent

/// One class of data as people know it from their phones: who may, who did, last when, and how to change it.
public struct DataView: Sendable {
    /// A class of data.
    public struct Kind: Sendable {
        let word: String
        let tables: Set<String>
        let sources: [String]
        public init(word: String, tables: [String], sources: [String]) {
            self.word = word
            self.tables = Set(tables)
            self.sources = sources
        }

        /// Whether any of these tables is of this class.
        func holds(_ names: some Sequence<String>) -> Bool { names.contains(where: tables.contains) }
    }

    private let kinds: [Kind]
    private let grants: [(grant: Grant, end: ConsentReason?)]
    private let book: FlowBook

    public init(_ kinds: [Kind], grants: [(grant: Grant, end: ConsentReason?)], book: FlowBook) {
        self.kinds = kinds
        self.grants = grants
        self.book = book
    }

    /// All classes, those with data first.
    public var html: HTML {
        let sorted = kinds.sorted {
            ($0.sources.isEmpty ? 1 : 0, $0.word) < ($1.sources.isEmpty ? 1 : 0, $1.word)
        }
        return element(.ul, [.marks("panes")], all: sorted.map(tile))
    }

    private func may(_ kind: Kind) -> [(grant: Grant, end: ConsentReason?)] {
        grants.filter { $0.end == nil && ($0.grant.reads.isEmpty || kind.holds($0.grant.reads.map(\.table))) }
    }

    private func did(_ kind: Kind) -> [FlowBook.Flow] { book.flows.filter { kind.holds($0.tables) } }

    private func tile(_ kind: Kind) -> HTML {
        let apps = Set(may(kind).filter { $0.grant.state != .denied }.map(\.grant.app))
        let last = did(kind).map(\.last).max()
        return element(
            .li, [],
            element(
                .a, [.href(Address("/data", kind.word)), .marks("pane")],
                element(.strong, [], HTML(kind.word)),
                element(
                    .span, [],
                    HTML(
                        kind.sources.isEmpty
                            ? "no source" : Words.count(kind.sources.count, "source"))),
                element(
                    .span, [], HTML(apps.isEmpty ? "no app may" : "\(Words.count(apps.count, "app")) may")),
                element(
                    .span, [], HTML(last.map { "last used \(Words.time($0)) UTC" } ?? "never used"))))
    }

    /// One class; nil where there is none of that name.
    public func pane(_ word: String, proof: String) -> HTML? {
        guard let kind = kinds.first(where: { $0.word == word }) else { return nil }
        let did = did(kind).sorted { ($0.last, $0.app) > ($1.last, $1.app) }
        return .all([
            element(
                .section, [.labelled(by: "may")], element(.h2, [.id("may")], "Who may"),
                may(kind).isEmpty
                    ? element(.p, [], "No app: each is asked about.")
                    : GrantsView(may(kind), proof: proof, back: "/data/\(word)").html),
            element(
                .section, [.labelled(by: "did")], element(.h2, [.id("did")], "Who did"),
                did.isEmpty
                    ? element(.p, [], "Nobody yet.")
                    : Form.table(
                        "Uses", ["App", "Plugin", "Runs", "Handed over", "Last, UTC"],
                        did.map { flow in
                            [
                                HTML(Words.short(flow.app)), HTML(Words.short(flow.plugin)), "\(flow.runs)",
                                HTML(Words.bytes(flow.resultBytes)), Form.time(Words.time(flow.last)),
                            ]
                        })),
            element(
                .section, [.labelled(by: "where")], element(.h2, [.id("where")], "Where it lies"),
                kind.sources.isEmpty
                    ? element(
                        .p, [], "No source was added: ", element(.a, [.href(Address("/sources"))], "add one"),
                        ".")
                    : element(.ul, all: kind.sources.map { element(.li, [], element(.code, [], HTML($0))) }),
                element(.p, [], "Tables: ", HTML(kind.tables.sorted().joined(separator: ", ")), ".")),
        ])
    }
}
