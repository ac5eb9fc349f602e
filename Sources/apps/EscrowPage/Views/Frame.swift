/// What stands around every page: the head, the ways, what is going on now.
public struct Frame: Sendable {
    /// The parts of the page.
    public enum Section: String, Sendable, CaseIterable {
        case now, data, flows, grants, rules, places, sent, ledger, sources, plugins

        /// What it is called.
        public var title: String {
            switch self {
            case .now: "Now"
            case .data: "Your data"
            case .flows: "Flows"
            case .grants: "Decisions"
            case .rules: "Rules"
            case .places: "Places"
            case .sent: "Sent"
            case .ledger: "Ledger"
            case .sources: "Sources"
            case .plugins: "Plugins"
            }
        }

        var address: Address {
            switch self {
            case .now: Address("/")
            case .data: Address("/data")
            case .flows: Address("/flows")
            case .grants: Address("/grants")
            case .rules: Address("/rules")
            case .places: Address("/places")
            case .sent: Address("/sent")
            case .ledger: Address("/ledger")
            case .sources: Address("/sources")
            case .plugins: Address("/plugins")
            }
        }
    }

    /// What was just done, or why it was not.
    public struct Notice: Sendable {
        let text: String
        let isFailure: Bool
        public init(_ text: String, isFailure: Bool = false) {
            self.text = text
            self.isFailure = isFailure
        }
    }

    let section: Section
    let title: String
    /// What each form carries, so that no other site's form counts.
    let proof: String
    let waiting: Int
    let underWay: Int
    let notice: Notice?
    /// Who is told live where the individual is, or was within a day; nil for nobody.
    let live: String?

    public init(
        _ section: Section, title: String? = nil, proof: String, waiting: Int, underWay: Int,
        notice: Notice? = nil, live: String? = nil
    ) {
        self.live = live
        self.section = section
        self.title = title ?? section.title
        self.proof = proof
        self.waiting = waiting
        self.underWay = underWay
        self.notice = notice
    }

    /// The whole page.
    public func page(_ content: HTML) -> [UInt8] {
        HTML.page(
            Self.head(title),
            .all([
                element(.a, [.marks("skip"), .target(of: "main")], "To the content"),
                element(
                    .header, [],
                    element(.a, [.marks("name"), .href(Address("/"))], "Escrow"),
                    element(
                        .nav, [.label("Parts of the page")], element(.ul, all: Section.allCases.map(way))),
                    indicator, liveIndicator),
                element(
                    .main, [.id("main")],
                    element(.h1, [], HTML(title)), noticeBar, content),
                element(
                    .footer, [],
                    "This page is served by your own machine, to you alone. It asks nothing of the network."),
            ]))
    }

    /// A page for somebody who has not proved to be the individual: it tells nothing.
    public static func stranger(_ title: String, _ sentences: [String]) -> [UInt8] {
        HTML.page(
            head(title),
            element(
                .main, [.id("main")],
                all: [element(.h1, [], HTML(title))] + sentences.map { element(.p, [], HTML($0)) }))
    }

    /// Sentences, each a paragraph.
    public static func sentences(_ sentences: [String]) -> HTML {
        .all(sentences.filter { !$0.isEmpty }.map { element(.p, [], HTML($0)) })
    }

    /// A way on to another part of the page.
    public static func way(_ words: String, to address: Address) -> HTML {
        element(.p, [], element(.a, [.href(address)], HTML(words)))
    }

    private static func head(_ title: String) -> HTML {
        .all([
            element(.meta, [.charset]),
            element(.meta, [.name("viewport"), .content("width=device-width, initial-scale=1")]),
            element(.meta, [.name("color-scheme"), .content("light dark")]),
            element(.title, [], "\(title) – Escrow"),
            element(.link, [.stylesheet, .href(Address("/style.css"))]),
            element(.link, [.icon, .href(Address("/icon.svg"))]),
            element(.script, [.source(Address("/script.js")), .deferred]),
        ])
    }

    private func way(_ section: Section) -> HTML {
        let badge: HTML =
            section == .now && waiting > 0
            ? element(
                .span, [.marks("badge"), .label("\(Words.count(waiting, "question")) waiting")],
                "\(waiting)") : ""
        let current: [Attribute] = section == self.section ? [.current] : []
        return element(
            .li, [], element(.a, [.href(section.address)] + current, HTML(section.title), badge))
    }

    private var indicator: HTML {
        element(
            .p, [.marks("indicator", underWay > 0 ? "busy" : "still"), .id("indicator"), .polite],
            HTML(
                underWay > 0
                    ? "\(Words.count(underWay, "dataflow")) now" : "nothing flows now"))
    }

    private var liveIndicator: HTML {
        guard let live else { return "" }
        return element(
            .p, [.marks("indicator", "busy"), .id("live")],
            element(.a, [.href(Section.places.address)], HTML(live)))
    }

    private var noticeBar: HTML {
        guard let notice else { return "" }
        return element(
            .p, [.marks("notice", notice.isFailure ? "failure" : "success"), .role("status")],
            HTML(notice.text))
    }
}
