public import EscrowLocation
public import EscrowLocationPrivacy

/// What is told of the individual's places: live, by rules, today, and what others can make of it.
public struct PlacesView: Sendable {
    /// What planar Laplace spent today, of how much.
    public typealias Spent = (app: String, mask: String, spent: Double, of: Double)

    private let follows: [LiveFollow]
    private let results: [Int: Int]
    private let permissions: [(app: String, permission: LiveStore.Permission)]
    private let rules: [LocationRule]
    private let spent: [Spent]
    private let findings: [LocationAudit.Finding]
    private let map: PlaceMap?
    private let now: Int64

    /// Takes all of it, and the time in seconds since 1970. `results` are how many updates gave a result, by the follow's number.
    public init(
        follows: [LiveFollow], results: [Int: Int] = [:],
        permissions: [(app: String, permission: LiveStore.Permission)],
        rules: [LocationRule], spent: [Spent], findings: [LocationAudit.Finding], map: PlaceMap?, now: Int64
    ) {
        (self.follows, self.permissions, self.rules, self.spent) = (follows, permissions, rules, spent)
        (self.findings, self.map, self.now, self.results) = (findings, map, now, results)
    }

    /// Those who follow now, or were told something: where every update failed, nobody was told where the individual is.
    public static func told(_ follows: [LiveFollow], in book: FlowBook) -> [LiveFollow] {
        follows.filter {
            $0.isRunning || ($0.plugin == nil ? $0.updates > 0 : book.results(for: $0) > 0)
        }
    }

    /// One sentence for every page while somebody is told live, and for a day after; nil otherwise.
    public static func indicator(_ follows: [LiveFollow]) -> String? {
        let running = Set(follows.filter(\.isRunning).map(\.app)).sorted()
        if let first = running.first {
            return running.count == 1
                ? "\(Words.short(first)) is told live where you are"
                : "\(running.count) apps are told live where you are"
        }
        let apps = Set(follows.map(\.app)).sorted()
        guard let first = apps.first else { return nil }
        return apps.count == 1
            ? "\(Words.short(first)) was told live where you are within 24 hours"
            : "\(apps.count) apps were told live where you are within 24 hours"
    }

    /// The page.
    public func html(_ proof: String) -> HTML {
        .all([live(proof), told, ruled, budget])
    }

    private func live(_ proof: String) -> HTML {
        let running =
            follows.isEmpty
            ? element(.p, [], "Nobody is told live where you are, nor was within 24 hours.")
            : Form.table(
                "Live location, now and within 24 hours",
                ["App", "When", "Updates", "With a result", "How exactly", "How often", "Plugin"],
                follows.map { follow in
                    [
                        HTML(Words.short(follow.app)),
                        HTML(follow.isRunning ? "NOW" : "\(max(now - follow.last, 0) / 60) minutes ago"),
                        HTML("\(follow.updates)"), HTML(result(follow)), HTML(follow.desired.rawValue),
                        HTML(follow.mode.rawValue),
                        HTML(Words.short(follow.plugin ?? "")),
                    ]
                })
        guard !permissions.isEmpty else { return .all([element(.h2, [], "Live"), running]) }
        return .all([
            element(.h2, [], "Live"), running,
            Form.table(
                "Who may be told live", ["App", "What you decided", "Change"],
                permissions.map { app, permission in
                    [
                        HTML(Words.short(app)), HTML(Words.short("\(app) \(permission.words)")),
                        Form.post(
                            Address("/places/live"), proof, [("app", app)],
                            .all(
                                LiveStore.Permission.allCases.filter { $0 != permission }.map {
                                    Form.button(
                                        Self.words($0), name: "when", value: $0.rawValue, of: Words.short(app)
                                    )
                                })),
                    ]
                }),
        ])
    }

    /// Where no plugin runs, each update is kept as it comes.
    private func result(_ follow: LiveFollow) -> String {
        follow.plugin == nil ? "" : "\(results[follow.id] ?? 0)"
    }

    private static func words(_ permission: LiveStore.Permission) -> String {
        switch permission {
        case .never: "Never"
        case .whileUsing: "While using"
        case .always: "Always"
        }
    }

    private var told: HTML {
        guard !findings.isEmpty else {
            return .all([
                element(.h2, [], "What was told"), element(.p, [], "Nothing was told of your places."),
            ])
        }
        return .all([
            element(.h2, [], "What was told"), map?.html ?? "",
            Form.table(
                "What others can make of it",
                ["App", "Told", "At most", "Home and work", "Your day", "Dummies left", "What to do"],
                findings.map { finding in
                    [
                        HTML(finding.app.map(Words.short) ?? "all apps together"),
                        HTML("\(finding.places) places, \(finding.dummies) dummies"),
                        HTML(finding.exactness.words), HTML(Self.anchors(finding)), HTML(Self.day(finding)),
                        HTML(finding.dummiesLeft.map { Self.tenth($0.least) + " of a round" } ?? ""),
                        finding.advice.map {
                            element(
                                .code, [],
                                HTML(
                                    "escrow location rule add "
                                        + (finding.app.map { "--app \(Words.short($0)) " } ?? "")
                                        + "--tell \($0.rawValue)"))
                        } ?? "nothing need be tightened",
                    ]
                }),
        ])
    }

    private static func anchors(_ finding: LocationAudit.Finding) -> String {
        let words = finding.anchors.map {
            "\($0.anchor.rawValue) within \(Int($0.metres.rounded())) m, \(tenth($0.bits)) bits"
        }
        return words.isEmpty ? "none can be guessed" : words.joined(separator: "; ")
    }

    private static func day(_ finding: LocationAudit.Finding) -> String {
        finding.day.map { "\(Int($0.matched.rounded())) m off, \(tenth($0.bits)) bits" } ?? ""
    }

    private static func tenth(_ value: Double) -> String { String((value * 10).rounded() / 10) }

    private var ruled: HTML {
        .all([
            element(.h2, [], "Rules"),
            rules.isEmpty
                ? element(.p, [], "No rules: each service is told what its kind needs.")
                : Form.table(
                    "Rules about places",
                    ["Rule", "At most", "App", "Service", "Hours", "Only near a place"],
                    rules.map { rule in
                        [
                            HTML(rule.id), HTML(rule.exactness.words), HTML(Words.short(rule.app ?? "any")),
                            HTML(rule.service?.rawValue ?? "any"),
                            HTML(
                                rule.hours.map { "\(Self.time($0.from)) to \(Self.time($0.until))" } ?? "any"),
                            HTML(rule.near == nil ? "" : "yes"),
                        ]
                    }),
            element(
                .p, [],
                "Add one: ", element(.code, [], "escrow location rule add"),
                "; have your sensitive places found: ", element(.code, [], "escrow location rule suggest"),
                "."),
        ])
    }

    private static func time(_ minute: Int) -> String {
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }

    private var budget: HTML {
        guard !spent.isEmpty else { return "" }
        return .all([
            element(.h2, [], "Budget of the day"),
            Form.table(
                "What noise has spent today", ["App", "Mask", "Spent", "Of"],
                spent.map {
                    [
                        HTML(Words.short($0.app)), HTML($0.mask),
                        HTML(String(($0.spent * 1e6).rounded() / 1e6)),
                        HTML(String(($0.of * 1e6).rounded() / 1e6)),
                    ]
                }),
        ])
    }
}
