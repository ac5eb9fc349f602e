public import EscrowConsent
import EscrowHost
import EscrowManifest
import EscrowMinimisation

/// The individual's decisions: what holds, what held, and how to change it.
public struct GrantsView: Sendable {
    private let grants: [(grant: Grant, end: ConsentReason?)]
    private let proof: String
    /// Where a change leads back to.
    private let back: String

    public init(
        _ grants: [(grant: Grant, end: ConsentReason?)], proof: String, back: String = "/grants"
    ) {
        self.grants = grants
        self.proof = proof
        self.back = back
    }

    public var html: HTML {
        guard !grants.isEmpty else { return element(.p, [], "You have decided nothing yet.") }
        let standing = grants.filter { $0.end == nil }
        let over = grants.filter { $0.end != nil }
        return .all([
            back == "/grants" ? element(.h2, [], "Holding now") : "",
            standing.isEmpty
                ? element(.p, [], "None of these holds now.") : .all(standing.reversed().map(card)),
            over.isEmpty
                ? ""
                : element(
                    .details, [], element(.summary, [], HTML("Over: \(over.count)")),
                    .all(over.reversed().map(card))),
        ])
    }

    /// One decision with its buttons.
    private func card(_ item: (grant: Grant, end: ConsentReason?)) -> HTML {
        let grant = item.grant
        let heading = "grant-\(grant.id)"
        let state = Self.state(grant)
        return element(
            .article, [.marks("grant", grant.state == .denied ? "no" : "yes"), .labelled(by: heading)],
            element(
                .h3, [.id(heading)], element(.bdi, [], HTML(Words.short(grant.app))),
                element(
                    .span, [.marks("state")],
                    HTML(item.end.map { "\(state), over: \(Self.why(grant, $0))" } ?? state))),
            Form.rows(rows(grant)),
            element(
                .div, [.marks("answers")],
                item.end != nil
                    ? "" : change("Take it back", "revoke", grant),
                grant.state != .denied && item.end == nil
                    ? change("Never", "never", grant)
                    : grant.canBeAllowedAnew
                        ? change(
                            grant.limit == nil ? "Allow always" : "Allow this less always", "always", grant)
                        : ""))
    }

    private func change(_ text: String, _ what: String, _ grant: Grant) -> HTML {
        Form.post(
            Address("/grants/change"), proof, [("id", grant.id), ("back", back)],
            Form.button(text, name: "what", value: what, of: "\(Words.short(grant.app)), \(grant.id)"))
    }

    private func rows(_ grant: Grant) -> [(label: String, text: String)] {
        var rows: [(label: String, text: String)] = [
            ("Plugin", "\(PlainText.neutral(grant.plugin.id)) \(PlainText.neutral(grant.plugin.version))"),
            ("Known by", grant.proof.words), ("Purpose", PlainText.quoted(grant.purpose.text)),
            ("Reads", Self.reads(grant)),
        ]
        for table in grant.minimisation.words {
            rows.append(("But only", PlainText.neutral(table, longest: 600)))
        }
        for phrase in grant.limit?.phrases ?? [] { rows.append(("Only", phrase)) }
        for (name, value) in grant.arguments.sorted(by: { $0.key < $1.key }) {
            rows.append(
                ("With", "\(PlainText.neutral(name, longest: 64)) = \(PlainText.quoted(value))"))
        }
        if let reach = grant.reach {
            let sentences = reach.egress.map { PlainText.whole($0.sentence) }
            rows.append(("Sends", sentences.isEmpty ? "nothing" : sentences.joined(separator: "; ")))
        }
        rows.append(("Computes on", PlainText.neutral(grant.place.words)))
        rows.append(("For", grant.scope.words(used: grant.useCount)))
        rows.append(("Decided", Words.time(grant.createdAt) + " UTC"))
        rows.append(
            (
                "Used",
                grant.lastUsedAt.map {
                    "\(Words.count(grant.useCount, "time")), last \(Words.time($0)) UTC"
                } ?? "never"
            ))
        return rows
    }

    static func state(_ grant: Grant) -> String {
        if grant.looksEmpty { return "denied, as if there were no data" }
        return switch grant.state {
        case .authorized: "allowed"
        case .limited: "allowed for less"
        case .denied: "denied"
        }
    }

    private static func why(_ grant: Grant, _ reason: ConsentReason) -> String {
        switch reason {
        case .expired where grant.scope.isCounted: "used up"
        case .expired: "its time"
        case .unused: "not used for 90 days"
        default: reason.rawValue
        }
    }

    static func reads(_ grant: Grant) -> String {
        grant.reads.map { use in
            let columns = (use.returned + use.used).map { PlainText.neutral($0, longest: 64) }
            let table = Words.table(PlainText.neutral(use.table, longest: 64))
            return columns.isEmpty ? "how many \(table)" : "\(table): \(columns.joined(separator: ", "))"
        }.joined(separator: "; ")
    }
}
