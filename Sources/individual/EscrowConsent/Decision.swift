internal import EscrowManifest

/// Whether a dataflow may run, and why: the one answer that every entry point acts on.
///
/// Rules decide first (`Preferences.decide`), then the grants (`Decision.about`), then the individual, who is asked. Each step is
/// given the answer of the step before it.
public struct Decision: Sendable, Equatable {
    /// Where it stands.
    public let state: ConsentState
    /// Why.
    public let reason: ConsentReason
    /// What the individual decided, where that makes it so.
    public let grant: Grant?
    /// One sentence for the individual.
    public let why: String
    /// The same with a line for each change, where it is about several; else empty.
    public let changes: [String]
    /// How much less than what it asks for is served; nil for all of it.
    public let limit: GrantLimit?
    /// What the rules say.
    public let grounds: Grounds
    /// Whether the individual sees the result before it is handed over.
    public var isPreview = false
    /// Whether the individual said yes to this one run before it had to wait for the device. Its question is long gone from the
    /// screen.
    public private(set) var isKeptAnswer = false

    init(
        state: ConsentState, reason: ConsentReason, grant: Grant?, why: String, changes: [String] = [],
        limit: GrantLimit? = nil, grounds: Grounds = Grounds()
    ) {
        self.state = state
        self.reason = reason
        self.grant = grant
        self.why = why
        self.changes = changes
        self.limit = limit
        self.grounds = grounds
    }

    /// No rule says anything: the grants decide, and where none stands the individual is asked.
    public static let open = Decision(
        state: .notDetermined, reason: .neverAsked, grant: nil,
        why: "nobody has decided about this dataflow yet")

    /// What the individual answered just now, for one run.
    public static func answered(_ grant: Grant, isPreview: Bool, _ grounds: Grounds) -> Decision {
        var decision = Decision(
            state: .authorized, reason: .prompt, grant: grant, why: "you said yes to this run",
            grounds: grounds)
        decision.isPreview = isPreview
        return decision
    }

    /// What the individual answered before the run waited, for that run.
    public static func kept(_ grant: Grant, isPreview: Bool, _ grounds: Grounds) -> Decision {
        var decision = answered(grant, isPreview: isPreview, grounds)
        decision.isKeptAnswer = true
        return decision
    }

    /// Whether rules say so, whatever the grants are.
    public var isByRule: Bool { [.rule, .missingResource, .noRule, .restriction].contains(reason) }

    /// Whether data may be read for it: as it asks, less, or, where a denial is to look like that, none at all.
    public var runs: Bool {
        switch state {
        case .authorized, .limited: true
        case .denied: limit != nil
        case .notDetermined, .restricted: false
        }
    }

    /// What the app is told. One that is served less, or nothing, is told that it may: to be told otherwise would tell it
    /// what the individual keeps back.
    public var shownState: ConsentState { runs ? .authorized : state }
}

/// What a decision is made from.
public struct DecisionBasis: Sendable {
    /// What the rules say.
    public var rules: Decision
    /// What the individual decided.
    public var grants: GrantIndex
    /// Uses that are not counted in `grants` yet.
    var uses: [String: GrantUse]
    /// What was asked without a decision.
    public var questions: [PastQuestion]
    /// When it is decided.
    public var now: ConsentTime
    /// When the host process began.
    public var hostStart: ConsentTime
    /// The decision that a run under way began with. For that run it still holds when its time or its number of runs is used up;
    /// it holds no more when it is taken back.
    public var claimed: Grant?

    init(
        rules: Decision = .open, grants: GrantIndex = GrantIndex([]), uses: [String: GrantUse] = [:],
        questions: [PastQuestion] = [], now: ConsentTime, hostStart: ConsentTime, claimed: Grant? = nil
    ) {
        self.rules = rules
        self.grants = grants
        self.uses = uses
        self.questions = questions
        self.now = now
        self.hostStart = hostStart
        self.claimed = claimed
    }
}

extension Decision {
    /// The one rule, for every entry point. The first of these that applies decides: what others restrict; what the individual's
    /// rules forbid; what the individual denied; what they allowed, where that covers the whole dataflow (a yes to less before a
    /// yes to all); what rules permit. Otherwise nobody has decided. The order of the grants never matters.
    public static func about(_ dataflow: Dataflow, _ basis: DecisionBasis) -> Decision {
        let rules = basis.rules
        if rules.state == .restricted { return rules }
        func decision(
            _ state: ConsentState, _ reason: ConsentReason, _ grant: Grant?, _ why: String,
            _ limit: GrantLimit? = nil
        ) -> Decision {
            Decision(
                state: state, reason: reason, grant: grant, why: why, limit: limit, grounds: rules.grounds)
        }
        guard !PlainText.neutral(dataflow.purpose.text).isEmpty else {
            return decision(.denied, .missingPurpose, nil, "the plugin does not say what for")
        }
        if rules.state == .denied, rules.reason != .noRule { return rules }
        let concerned = basis.concerned(dataflow)
        let standing = concerned.filter { basis.end(of: $0) == nil }
        let allowing = standing.filter { $0.state != .denied && $0.covers(dataflow) }
        // A denial that looks like no data (`looksEmpty`) must act as a yes would, or the app could tell them apart. A yes does
        // not cover a dataflow that asks for more: the individual would be asked. So such a denial leaves it undecided too,
        // and forbids it only where another grant or a rule would let it run.
        let wouldRun = !allowing.isEmpty || rules.state == .authorized
        let denials = standing.filter { denial in
            denial.state == .denied && denial.forbids(dataflow)
                && (!denial.looksEmpty || wouldRun || denial.isAboutAll || denial.covers(dataflow))
        }
        if let denial = denials.preferred { return by(denial, dataflow, rules.grounds) }
        if let grant = allowing.filter({ $0.state == .limited }).preferred ?? allowing.preferred {
            let scope = grant.scope.words(used: grant.useCount)
            guard let limit = grant.limit else {
                return decision(.authorized, grant.reason, grant, "you allowed it, \(scope)")
            }
            return decision(
                .limited, grant.reason, grant,
                "you allowed less of it, \(scope): \(limit.phrases.joined(separator: "; "))", limit)
        }
        if let denial = standing.filter({ $0.looksEmpty && $0.covers(dataflow) }).preferred {
            return by(denial, dataflow, rules.grounds)
        }
        if rules.state == .authorized {
            var grant = Grant(.authorized, .once, .rule, for: dataflow, at: basis.now)
            grant.id = "rule:" + rules.grounds.rules.joined(separator: ",")
            return decision(.authorized, .rule, grant, rules.why)
        }
        if rules.reason == .noRule { return rules }
        return undecided(dataflow, basis, standing, concerned)
    }

    private static func by(_ denial: Grant, _ dataflow: Dataflow, _ grounds: Grounds) -> Decision {
        // A denial can look like no data only where the plugin sends no requests. A denied run sends none, and a server that
        // waits for one would tell the app.
        let looksEmpty = denial.looksEmpty && !dataflow.sends
        return Decision(
            state: .denied, reason: denial.reason, grant: denial,
            why: "you denied it, \(denial.scope.words(used: denial.useCount))"
                + (looksEmpty ? "; the app is given what it would be given of no data" : ""),
            limit: looksEmpty ? .nothing(of: dataflow.reads) : nil, grounds: grounds)
    }

    /// As many changes as people are shown, each in a line of its own; the others are counted.
    private static let mostChanges = 12

    /// Why nobody has decided.
    private static func undecided(
        _ dataflow: Dataflow, _ basis: DecisionBasis, _ standing: [Grant], _ concerned: [Grant]
    ) -> Decision {
        if let restriction = basis.rules.grounds.freezing {
            return .undecidedWhileFrozen(by: restriction, basis.rules.grounds)
        }
        func decision(
            _ reason: ConsentReason, _ grant: Grant?, _ why: String, changes: [String] = []
        ) -> Decision {
            Decision(
                state: .notDetermined, reason: reason, grant: grant, why: why, changes: changes,
                grounds: basis.rules.grounds)
        }
        let near = standing.filter { $0.state != .denied }
            .map { ($0, $0.differences(to: dataflow)) }
            .min { ($0.1.count, $1.0.createdAt, $0.0.id) < ($1.1.count, $0.0.createdAt, $1.0.id) }
        if let (grant, differences) = near {
            let more = differences.count - mostChanges
            let shown =
                differences.prefix(mostChanges) + (more > 0 ? ["and " + Brief.more(more, "change")] : [])
            func changed(_ reason: ConsentReason, _ what: String) -> Decision {
                decision(
                    reason, nil, "\(what): \(shown.joined(separator: "; "))",
                    changes: differences.count > 1 ? [what] + shown : [])
            }
            guard grant.isCarriedOver(to: dataflow) else {
                return changed(.wider, "it is more than you allowed before")
            }
            let versions = [dataflow.plugin.version, grant.plugin.version].map {
                PlainText.neutral($0, longest: 64)
            }
            let change =
                versions[0] == versions[1] ? "another build of \(versions[0])" : "version \(versions[0])"
            return changed(
                .changedPlugin,
                "\(change) is more than \(versions[1]), which you allowed on \(grant.createdAt.prefix(10))")
        }
        if standing.contains(where: { $0.looksEmpty && $0.forbids(dataflow) }) {
            return decision(
                .wider, nil,
                "it is more than what you denied as if there were no data, so it is another question")
        }
        let over = concerned.filter {
            $0.state == .denied && !$0.looksEmpty ? $0.forbids(dataflow) : $0.covers(dataflow)
        }
        if let grant = over.preferred, let end = basis.end(of: grant) {
            let verb = grant.state == .denied ? "denied" : "allowed"
            let day = grant.createdAt.prefix(10)
            return end == .unused
                ? decision(
                    .unused, grant,
                    "you \(verb) it on \(day), but it was not used for 90 days, so it was reset")
                : decision(
                    .expired, grant, "you \(verb) it on \(day), \(grant.scope.words()), and that is over")
        }
        let asked = basis.questions.filter { $0.concerns(dataflow, at: basis.now) }.max { $0.at < $1.at }
        switch asked?.outcome {
        case .timeOut: return decision(.timeOut, nil, "you were asked, and gave no answer in time")
        case .no: return decision(.prompt, nil, "you said no to it before, for that moment")
        case nil: return decision(.neverAsked, nil, Decision.open.why)
        }
    }
}

extension DecisionBasis {
    /// How long what was allowed lasts without being used.
    static let unusedDays: Int64 = 90

    /// The decisions about the same app, plugin and target, among them one that was made for a run alone.
    fileprivate func concerned(_ dataflow: Dataflow) -> [Grant] {
        var concerned = grants.concerned(dataflow).map { $0.adding(uses[$0.id]) }
        // A yes to this run alone is in no file, so it is added here. What a rule permitted is not added: the rules are asked
        // anew, and must still permit it.
        if let claimed, claimed.isForOneRun, claimed.app == dataflow.app,
            claimed.plugin.id == dataflow.plugin.id, claimed.target == dataflow.target
        {
            concerned.append(claimed)
        }
        return concerned
    }

    /// Why a decision holds no more; nil while it does. A yes that nobody uses ends by itself. A no does not, except one that
    /// looks like no data: the app would know it by that.
    public func end(of grant: Grant) -> ConsentReason? {
        if grant.id == claimed?.id { return nil }
        let isOver =
            switch grant.scope {
            case .once: grant.useCount > 0
            case .uses(let count): grant.useCount >= count
            case .today(let end), .until(let end): now >= end
            case .session(let made): hostStart > made
            case .always: false
            }
        if isOver { return .expired }
        guard grant.endsLikeAYes else { return nil }
        let last = ConsentTime(grant.lastUsedAt ?? grant.createdAt) ?? ConsentTime(milliseconds: 0)
        return last.adding(days: Self.unusedDays) <= now ? .unused : nil
    }
}

extension [Grant] {
    /// The newest; of two equally new ones that whose id comes first. So it is the same one in whatever order they stand.
    fileprivate var preferred: Grant? {
        self.min { ($1.createdAt, $0.id) < ($0.createdAt, $1.id) }
    }
}
