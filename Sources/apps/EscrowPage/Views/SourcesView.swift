/// Where the data lies.
public struct SourcesView: Sendable {
    private let sources: [(kind: String, path: String, added: String)]
    private let kinds: [(word: String, accepts: String)]

    public init(
        _ sources: [(kind: String, path: String, added: String)], kinds: [(word: String, accepts: String)]
    ) {
        self.sources = sources
        self.kinds = kinds
    }

    public func html(_ proof: String) -> HTML {
        .all([
            sources.isEmpty
                ? element(.p, [], "There are no sources yet: nothing can be computed about you.")
                : Form.table(
                    "Sources", ["Kind", "File or folder", "Added, UTC", "Change"],
                    sources.map { source in
                        [
                            HTML(source.kind), element(.code, [], HTML(source.path)),
                            Form.time(Words.time(source.added)),
                            Form.post(
                                Address("/sources/remove"), proof,
                                [("kind", source.kind), ("path", source.path)],
                                Form.button(
                                    "Forget", name: "forget", value: "yes",
                                    of: "\(source.kind), \(Words.short(source.path))")),
                        ]
                    }),
            element(
                .section, [.labelled(by: "add")], element(.h2, [.id("add")], "Add a source"),
                element(
                    .p, [], "Nothing is copied: queries read it where it is. No app learns where that is."),
                Form.post(
                    Address("/sources/add"), proof, [],
                    element(.label, [.belongs(to: "kind")], "Kind"),
                    element(
                        .select, [.id("kind"), .name("kind")],
                        all: kinds.map { element(.option, [.value($0.word)], HTML($0.word)) }),
                    element(.label, [.belongs(to: "path")], "File or folder, from the root"),
                    element(.input, [.id("path"), .name("path"), .required, .noSpelling]),
                    element(.button, [.type("submit"), .marks("plain")], "Add"))),
            element(
                .details, [], element(.summary, [], "What each kind can be"),
                Form.rows(kinds.map { ($0.word, $0.accepts) })),
        ])
    }
}
