public import EscrowHome
public import EscrowHost
public import EscrowLedger

/// What waits for the individual, what flows now, and what flowed within 24 hours.
public struct NowView: Sendable {
    private let questions: [HTML]
    private let picks: [HTML]
    private let more: Int
    private let book: FlowBook
    private let underWay: [FlowBook.Run]
    private let isPart: Bool
    private let now: LedgerTime
    private let waitingForDevice: [(app: String, plugin: String, missing: String)]
    private let periodic: [PeriodicRun]

    /// `underWay` are the runs whose process is there; `isPart` says that the book does not reach back a day yet.
    public init(
        questions: [HTML], picks: [HTML] = [], more: Int, book: FlowBook, underWay: [FlowBook.Run],
        isPart: Bool = false, now: LedgerTime,
        waitingForDevice: [(app: String, plugin: String, missing: String)], periodic: [PeriodicRun] = []
    ) {
        self.periodic = periodic
        self.questions = questions
        self.picks = picks
        self.more = more
        self.book = book
        self.underWay = underWay
        self.isPart = isPart
        self.now = now
        self.waitingForDevice = waitingForDevice
    }

    public var html: HTML {
        let since = LedgerTime(milliseconds: now.milliseconds - 86_400_000)
        let day = book.runs(since: since)
        return .all([
            element(
                .section, [.labelled(by: "waits")], element(.h2, [.id("waits")], "Waiting for your answer"),
                questions.isEmpty && picks.isEmpty
                    ? element(.p, [], "Nothing waits for an answer of yours.")
                    : element(
                        .p, [],
                        "\(Words.count(questions.count + picks.count, "question")). Leaving a question unanswered is no yes."
                    ),
                .all(questions), .all(picks),
                more == 0
                    ? "" : element(.p, [], "\(Words.count(more, "more question")) wait behind these.")),
            waitingForDevice.isEmpty
                ? ""
                : element(
                    .section, [.labelled(by: "device")],
                    element(.h2, [.id("device")], "Decided, waiting for the device"),
                    Form.table(
                        "Dataflows that wait for the device", ["App", "Plugin", "Waits for"],
                        waitingForDevice.map {
                            [HTML(Words.short($0.app)), HTML(Words.short($0.plugin)), HTML($0.missing)]
                        })),
            byItself,
            element(
                .section, [.labelled(by: "usage")], element(.h2, [.id("usage")], "Use of your data"),
                element(.h3, [], "Now"), list(underWay, "Nothing is under way."),
                element(.h3, [], "Within 24 hours"),
                isPart
                    ? element(
                        .p, [],
                        "The ledger is long and still being read: these are the latest runs, not all of the day. Load the page again in a moment."
                    ) : "",
                list(Self.sums(day), "No app had anything computed.")),
        ])
    }

    /// What runs without being asked for, a line each.
    private var byItself: HTML {
        guard !periodic.isEmpty else { return "" }
        let rows: [[HTML]] = periodic.map { run in
            [
                HTML(Words.short(run.app)), HTML(Words.short(run.plugin)),
                HTML(run.every.rawValue + (run.onCharge ? ", on charge" : "")), HTML(run.day),
                HTML(String(run.runs)), HTML(String(run.done)), HTML(run.end),
            ]
        }
        return element(
            .section, [.labelled(by: "periodic")], element(.h2, [.id("periodic")], "Runs by itself"),
            Form.table(
                "What runs by itself, a line each for its last day",
                ["App", "Plugin", "Every", "Day", "Runs", "Done", "Last end"], rows))
    }

    private struct Sum {
        let app: String
        var tables: Set<String>
        var runs = 0
        var last: LedgerTime
    }

    private static func sums(_ runs: [FlowBook.Run]) -> [Sum] {
        var sums: [String: Sum] = [:]
        for run in runs {
            sums[run.app, default: Sum(app: run.app, tables: [], last: run.began)].runs += 1
            sums[run.app]?.tables.formUnion(run.tables)
            sums[run.app]?.last = run.began
        }
        return sums.values.sorted { ($0.last, $0.app) > ($1.last, $1.app) }
    }

    private func list(_ runs: [FlowBook.Run], _ nothing: String) -> HTML {
        guard !runs.isEmpty else { return element(.p, [], HTML(nothing)) }
        return element(
            .ul, [.marks("usage")],
            all: runs.map {
                element(
                    .li, [], element(.strong, [], HTML(Words.short($0.app))), " by ",
                    HTML(Words.short($0.plugin)), ": ", Self.tables($0.tables))
            })
    }

    private func list(_ sums: [Sum], _ nothing: String) -> HTML {
        guard !sums.isEmpty else { return element(.p, [], HTML(nothing)) }
        return element(
            .ul, [.marks("usage")],
            all: sums.map {
                element(
                    .li, [], element(.strong, [], HTML(Words.short($0.app))), ": ",
                    Self.tables($0.tables.sorted()),
                    " – \(Words.count($0.runs, "run")), last \(Words.time($0.last)) UTC")
            })
    }

    private static func tables(_ names: [String]) -> HTML {
        HTML(names.isEmpty ? "no table" : names.map(Words.table).joined(separator: ", "))
    }
}
