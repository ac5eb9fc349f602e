import EscrowConsent
import EscrowHost
public import EscrowManifest

/// The installed plugins: what each may read and what its answers can carry.
public struct PluginsView: Sendable {
    /// One plugin: its manifest, or why it may not run.
    public struct Item: Sendable {
        let id: String
        let version: String
        let installed: String
        let manifest: Manifest?
        let problem: String
        public init(id: String, version: String, installed: String, manifest: Manifest?, problem: String) {
            self.id = id
            self.version = version
            self.installed = installed
            self.manifest = manifest
            self.problem = problem
        }
    }

    private let plugins: [Item]

    public init(_ plugins: [Item]) { self.plugins = plugins }

    public var html: HTML {
        guard !plugins.isEmpty else {
            return element(
                .p, [], "No plugin is installed. At a terminal: ",
                element(.code, [], "escrow plugin install FILE.escrow"))
        }
        return .all(plugins.map(card))
    }

    private func card(_ item: Item) -> HTML {
        let heading = "plugin-\(item.id)"
        var rows: [(label: String, text: String)] = []
        if let manifest = item.manifest {
            let sends = manifest.egress.map(\.sentence)
            rows = [
                ("Title", PlainText.quoted(manifest.title)),
                ("By", PlainText.quoted(manifest.publisher.name)),
                ("Privacy", manifest.publisher.privacy ?? "its publisher names no statement"),
                ("Purpose", "\(PlainText.quoted(manifest.purpose.text)) (\(manifest.purpose.code.rawValue))"),
                ("May read", manifest.readsSentence),
                ("Returns", manifest.result.sentence), ("Capacity", manifest.capacitySentence),
                ("Sends", sends.isEmpty ? "nothing" : sends.joined(separator: "; ")),
                ("Limits", manifest.limitSentence),
                ("Valid", "\(manifest.issued.day) to \(manifest.expires.day)"),
            ].map { ($0.0, PlainText.whole($0.1)) }
        }
        rows.append(("Installed", Words.time(item.installed)))
        return element(
            .article, [.marks("plugin"), .labelled(by: heading)],
            element(
                .h2, [.id(heading)], element(.bdi, [], HTML(Words.short(item.id))), " ",
                element(.span, [.marks("state")], HTML(Words.short(item.version)))),
            item.problem.isEmpty
                ? "" : element(.p, [.marks("danger")], "It may not run: ", HTML(item.problem)),
            Form.rows(rows))
    }
}
