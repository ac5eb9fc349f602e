import EscrowJSON
public import EscrowLedger
public import EscrowLocation

/// The past dataflows, as the ledger tells them: each kind of flow once with its sums, and the latest runs one by one.
///
/// It takes entries one after the other, so that a page that is asked for again reads only what is new.
public struct FlowBook: Sendable {
    /// What one app had one plugin compute over the same tables.
    public struct Flow: Sendable {
        public let app: String
        public let plugin: String
        public let tables: [String]
        public internal(set) var runs = 0
        /// Bytes that the plugin read, and that the app was handed.
        public internal(set) var readBytes: Int64 = 0
        public internal(set) var resultBytes: Int64 = 0
        /// Host → bytes that were sent to it.
        public internal(set) var sent: [String: Int64] = [:]
        public internal(set) var last: LedgerTime
    }

    /// One run.
    public struct Run: Sendable {
        public let id: String
        public let app: String
        public let plugin: String
        public let tables: [String]
        public let began: LedgerTime
        public internal(set) var readBytes: Int64 = 0
        public internal(set) var rows: Int64 = 0
        public internal(set) var resultBytes: Int64 = 0
        public internal(set) var sentBytes: Int64 = 0
        /// Nil while it is under way.
        public internal(set) var outcome: String?
        let flow: Int?
    }

    /// The most kinds of flow, and the most runs, that are kept: an app cannot fill the memory by asking in new ways.
    static let maximumFlows = 4096
    static let maximumRuns = 2048

    public private(set) var flows: [Flow] = []
    /// The latest runs, oldest first.
    public private(set) var runs: [Run] = []
    /// The last entry that was taken in.
    public private(set) var last: UInt64 = 0
    /// How many runs belong to no flow: their detail is gone, or there were too many kinds.
    public private(set) var untold = 0
    private var places: [Key: Int] = [:]

    private struct Key: Hashable {
        let app: String
        let plugin: String
        let tables: [String]
    }

    public init() {}

    /// The runs that have no end in the ledger. A process that was killed leaves some that are not under way any more.
    public var underWay: [Run] { runs.filter { $0.outcome == nil } }

    /// The runs that began since a moment.
    public func runs(since: LedgerTime) -> [Run] { runs.filter { $0.began >= since } }

    /// How many runs for updates of one who follows gave a result: an update whose run failed told nothing.
    public func results(for follow: LiveFollow) -> Int {
        guard let plugin = follow.plugin else { return 0 }
        // An app may name a plugin by the last part of its id. Times in the store are in seconds.
        let until = follow.isRunning ? Int64.max : follow.last + 1
        return runs.count { run in
            run.app == follow.app && (run.plugin == plugin || run.plugin.hasSuffix("." + plugin))
                && (follow.began...max(follow.began, until)).contains(run.began.milliseconds / 1_000)
                && run.outcome == "returned"
        }
    }

    /// Whether entries before this one are others since: a book that has them must be made anew.
    public static func changesThePast(_ entry: LedgerEntry) -> Bool {
        [.erased, .decayed, .compacted, .repaired].contains(entry.kind)
    }

    /// Takes in the next entry.
    public mutating func take(_ entry: LedgerEntry) {
        last = entry.sequence
        switch entry.kind {
        case .runIntent: begin(entry)
        case .egressSent: send(entry)
        case .runEnd, .runInterrupted: end(entry)
        default: break
        }
    }

    private mutating func begin(_ entry: LedgerEntry) {
        guard let id = entry.run else { return }
        let app = entry.fields["app"]?.string
        let plugin = entry.fields["plugin"]?.string
        var tables = entry.fields["tables"]?.array?.compactMap(\.string) ?? []
        tables = Array(Set(tables)).sorted()
        var flow: Int?
        if let app, let plugin { flow = place(Key(app: app, plugin: plugin, tables: tables), entry.time) }
        if let flow {
            flows[flow].runs += 1
            flows[flow].last = entry.time
        } else {
            untold += 1
        }
        runs.append(
            Run(
                id: id, app: app ?? "(erased)", plugin: plugin ?? "(erased)", tables: tables,
                began: entry.time, flow: flow))
        if runs.count > Self.maximumRuns * 2 { runs.removeFirst(runs.count - Self.maximumRuns) }
    }

    private mutating func place(_ key: Key, _ time: LedgerTime) -> Int? {
        if let place = places[key] { return place }
        guard flows.count < Self.maximumFlows else { return nil }
        places[key] = flows.count
        flows.append(Flow(app: key.app, plugin: key.plugin, tables: key.tables, last: time))
        return flows.count - 1
    }

    private mutating func send(_ entry: LedgerEntry) {
        guard let index = runs.lastIndex(where: { $0.id == entry.run }) else { return }
        let bytes = max(0, entry.fields["bytes"]?.integer ?? 0)
        runs[index].sentBytes += bytes
        guard let flow = runs[index].flow else { return }
        let place = (entry.fields["url"]?.string ?? "").dropFirst("https://".count).prefix { $0 != "/" }
        flows[flow].sent[place.isEmpty ? "(erased)" : String(place), default: 0] += bytes
    }

    private mutating func end(_ entry: LedgerEntry) {
        guard let index = runs.lastIndex(where: { $0.id == entry.run }) else { return }
        func number(_ name: String) -> Int64 { max(0, entry.fields[name]?.integer ?? 0) }
        runs[index].outcome =
            entry.fields["outcome"]?.string
            ?? (entry.kind == .runInterrupted ? "interrupted" : "ended")
        runs[index].rows = number("rows")
        runs[index].readBytes = number("bytes") + number("assetBytes")
        runs[index].resultBytes = number("resultBytes")
        guard let flow = runs[index].flow else { return }
        flows[flow].readBytes += runs[index].readBytes
        flows[flow].resultBytes += runs[index].resultBytes
    }
}
