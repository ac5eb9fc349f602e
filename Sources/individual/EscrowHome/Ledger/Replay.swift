public import EscrowConsent
public import EscrowDiagnostics
public import EscrowJSON
public import EscrowLedger

/// What proposed rules would have changed about the past dataflows of the ledger.
public struct Replay: Sendable {
    /// A kind of dataflow that would have gone otherwise.
    public struct Change: Sendable {
        /// The app.
        public let app: String
        /// The plugin.
        public let plugin: String
        /// The purpose's code.
        public let purpose: String
        /// What it was and what it would have been.
        public let from: String
        public let to: String
        /// How often.
        public internal(set) var times: Int
        /// When last, UTC.
        public internal(set) var last: String
    }

    /// How many dataflows were looked at.
    public private(set) var count = 0
    /// Of how many the record does not tell what a proposed rule looks at: for these, what becomes of a rule that cannot be
    /// evaluated was taken.
    public private(set) var untold = 0
    /// What would have changed, the most frequent first.
    public private(set) var changes: [Change] = []

    /// How many would have changed.
    public var changedCount: Int { changes.reduce(0) { $0 + $1.times } }

    /// The report for `--format json`.
    public var json: JSONValue {
        [
            "dataflows": .integer(Int64(count)), "changed": .integer(Int64(changedCount)),
            "untold": .integer(Int64(untold)),
            "changes": .array(
                changes.map {
                    [
                        "app": .string($0.app), "plugin": .string($0.plugin), "purpose": .string($0.purpose),
                        "from": .string($0.from), "to": .string($0.to), "times": .integer(Int64($0.times)),
                        "last": .string($0.last),
                    ]
                }),
        ]
    }

    /// Takes in one past dataflow.
    mutating func take(
        _ facts: DataflowFacts, time: String, times: Int, _ before: Preferences, _ after: Preferences,
        proposed: Set<String>
    ) {
        count += times
        let new = after.decide(facts)
        if !proposed.isDisjoint(with: new.grounds.unevaluable) { untold += times }
        let (old, now) = (before.decide(facts).fate, new.fate)
        guard old != now else { return }
        let place = changes.firstIndex {
            $0.app == facts.app && $0.plugin == facts.plugin && $0.purpose == facts.purpose && $0.from == old
                && $0.to == now
        }
        if let place {
            changes[place].times += times
            changes[place].last = time
        } else {
            changes.append(
                Change(
                    app: facts.app ?? "", plugin: facts.plugin ?? "", purpose: facts.purpose ?? "", from: old,
                    to: now, times: times, last: time))
        }
    }

    /// Puts the most frequent first.
    mutating func finish() { changes.sort { ($0.times, $1.app) > ($1.times, $0.app) } }
}

extension Decision {
    /// What becomes of a dataflow, in a word or two.
    fileprivate var fate: String {
        let waits = grounds.waits.isEmpty ? "" : ", waits"
        return switch (state, reason) {
        case (_, .missingResource): "refused"
        case (_, .noRule): "denied unasked without a grant"
        case (.denied, _), (.restricted, _): "forbidden"
        case (.authorized, _): "permitted unasked" + waits
        default: "up to the grants and you" + waits
        }
    }
}

extension LedgerReader {
    /// Replays the past dataflows under rules as they were before, and under these with others beside them or in their place.
    public func replay(_ proposal: Proposal, before: Preferences) throws(Diagnostic) -> Replay {
        let after: Preferences
        let ids: Set<String>
        switch proposal {
        case .rules(let proposed):
            ids = Set(proposed.map(\.id))
            var joined = before
            joined.rules = before.rules.filter { !ids.contains($0.id) } + proposed
            after = joined
        case .whole(let preferences):
            ids = Set(preferences.rules.map(\.id))
            after = preferences
        }
        var replay = Replay()
        try forEach { (entry) throws(Diagnostic) in
            guard entry.kind == .runIntent || entry.kind == .decision, let facts = entry.facts else {
                return true
            }
            // What was permitted, or asked about with a yes, is there again as a run.
            if entry.kind == .decision, let answer = entry.fields["answer"]?.string,
                ["permitted by rule", "once", "always", "preview"].contains(answer)
                    || answer.hasPrefix("yes, ") || entry.fields["shownDigest"] != nil
            {
                return true
            }
            replay.take(
                facts, time: "\(entry.time)", times: 1, before, after, proposed: ids)
            return true
        }
        replay.finish()
        return replay
    }
}

extension LedgerEntry {
    /// The dataflow that it is about, as far as it tells; nil where it tells nothing.
    fileprivate var facts: DataflowFacts? {
        guard let app = fields["app"]?.string, let plugin = fields["plugin"]?.string else { return nil }
        let purpose = fields["purpose"]?.string
        if let record = fields["facts"] {
            return DataflowFacts(app: app, plugin: plugin, purpose: purpose, record: record)
        }
        guard kind == .runIntent else { return nil }
        // A run from before rules were looked at: what its intent says.
        var facts = DataflowFacts(app: app, plugin: plugin, purpose: purpose, record: [:])
        let columns = ["returns", "uses"].flatMap { fields[$0]?.array?.compactMap(\.string) ?? [] }
        facts.columns = Array(Set(columns)).sorted()
        facts.tables = Array(Set(columns.map { String($0.prefix { $0 != "." }) })).sorted()
        facts.target = fields["target"]?.string
        // Earlier runs have the place in words.
        let place = fields["place"]?.string
        facts.place = place == "this device" ? Place.device.spelling : place
        facts.minute = LocalDay.minute(of: time.milliseconds)
        return facts
    }
}
