/// Past dataflows as a picture and as a list.
public struct FlowsView: Sendable {
    private let book: FlowBook
    private let underWay: Set<String>

    /// `underWay` are the ids of the runs whose process is there.
    public init(_ book: FlowBook, underWay: Set<String>) {
        self.book = book
        self.underWay = underWay
    }

    public var html: HTML {
        guard let picture = FlowPicture(book.flows).html else {
            return element(.p, [], "Nothing has flowed yet.")
        }
        let flows = book.flows.sorted { ($0.last, $0.app) > ($1.last, $1.app) }
        return .all([
            element(
                .p, [],
                "From your data on the left, by the plugins that computed, to the apps and servers that got something. Bands grow with the bytes: each doubling adds the same width. What left for the network is striped."
            ), picture,
            Form.table(
                "All flows", ["App", "Plugin", "Data", "Runs", "Read", "Handed over", "Sent", "Last, UTC"],
                flows.map { flow in
                    [
                        HTML(Words.short(flow.app)), HTML(Words.short(flow.plugin)),
                        HTML(flow.tables.map(Words.table).joined(separator: ", ")), "\(flow.runs)",
                        HTML(Words.bytes(flow.readBytes)), HTML(Words.bytes(flow.resultBytes)),
                        HTML(
                            flow.sent.isEmpty
                                ? "nothing"
                                : flow.sent.sorted { $0.key < $1.key }.map {
                                    "\(Words.bytes($0.value)) to \(Words.short($0.key))"
                                }.joined(separator: ", ")),
                        Form.time(Words.time(flow.last)),
                    ]
                }),
            book.untold == 0
                ? ""
                : element(.p, [], "Of \(Words.count(book.untold, "run")) the ledger does not tell more."),
            Form.table(
                "Latest runs", ["Run", "Began, UTC", "App", "Plugin", "Rows", "Outcome"],
                book.runs.suffix(50).reversed().map { run in
                    [
                        element(.a, [.href(Address("/ledger", run.id))], HTML(run.id)),
                        Form.time(Words.time(run.began)), HTML(Words.short(run.app)),
                        HTML(Words.short(run.plugin)),
                        "\(run.rows)",
                        HTML(run.outcome ?? (underWay.contains(run.id) ? "under way" : "interrupted")),
                    ]
                }),
        ])
    }
}
