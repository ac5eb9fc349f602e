/// One preference of the individual's.
public struct Rule: Sendable, Equatable {
    /// What it does.
    public enum Effect: String, Sendable, CaseIterable {
        /// The dataflow may be; whether without asking, `asks` says.
        case permit
        /// The dataflow may not be, whatever else is said.
        case forbid
        /// The dataflow may be only while the device has what `needs` names.
        case require
        /// Where nobody says where the dataflow computes, the place is chosen for this goal. It allows nothing.
        case prefer
    }

    /// What a place is chosen for.
    public enum Goal: String, Sendable, CaseIterable, Comparable {
        /// The fewest bytes over a network that is paid by volume.
        case cost
        /// The least work for this device.
        case battery
        /// The result soonest.
        case speed

        /// What costs money comes before what costs power, and that before time.
        public static func < (one: Goal, other: Goal) -> Bool {
            allCases.firstIndex(of: one)! < allCases.firstIndex(of: other)!
        }
    }

    /// What happens while a resource is not there.
    public enum Missing: String, Sendable, CaseIterable {
        /// The dataflow waits in the queue.
        case wait
        /// The dataflow is refused.
        case refuse
    }

    /// Its name: what messages, the sheet and the ledger call it.
    public let id: String
    /// What it does.
    public let effect: Effect
    /// The individual's own note, shown with it.
    public let why: String?
    /// Of a permit: whether the individual is asked all the same. Only a permit that says no decides by itself.
    public let asks: Bool
    /// Of a requirement: what happens meanwhile.
    public let missing: Missing
    /// All must hold for the rule to be about a dataflow; none: it is about every one.
    let when: [Condition]
    /// Of a requirement: what the device must have, all of it.
    let needs: [Condition]
    /// Of a preference: what a place is chosen for.
    public let goal: Goal?

    init(
        id: String, effect: Effect, when: [Condition], needs: [Condition] = [], missing: Missing = .refuse,
        asks: Bool = true, why: String? = nil,
        goal: Goal? = nil
    ) {
        self.id = id
        self.effect = effect
        // What costs least, and rules out most, comes first. All must hold, so the order means nothing.
        self.when = when.sorted { $0.cost < $1.cost }
        self.needs = needs
        self.missing = missing
        self.asks = asks
        self.why = why
        self.goal = goal
    }

    /// Whether the rule is about a dataflow and, for a requirement, whether something is missing. Unknown where what it
    /// looks at is not known and nothing else settles it: no order of conditions makes a difference.
    func applies(to facts: PreparedFacts) -> Truth {
        let scope = Self.all(when, facts, effect == .permit || effect == .prefer ? .all : .any)
        guard effect == .require, scope != .no else { return scope }
        switch Self.all(needs, facts, .any) {
        case .yes: return .no
        case .no: return scope
        case .unknown: return .unknown
        }
    }

    /// The needs that are not there, or not known to be, in words.
    func missingNeeds(_ facts: PreparedFacts) -> [String] {
        needs.filter { $0.holds(for: facts, .any) != .yes }.map { need in
            let isKnown = need.holds(for: facts, .any) == .no
            return need.need + (isKnown ? "" : " (this device does not tell)")
        }
    }

    private static func all(_ conditions: [Condition], _ facts: PreparedFacts, _ quantifier: Quantifier)
        -> Truth
    {
        var result = Truth.yes
        for condition in conditions {
            switch condition.holds(for: facts, quantifier) {
            case .no: return .no
            case .unknown: result = .unknown
            case .yes: break
            }
        }
        return result
    }
}

extension Condition {
    /// About what it costs to look at it.
    fileprivate var cost: Int {
        switch self {
        case .purpose, .flag, .quantity, .hours: 0
        case .words(.column, _): 2
        case .words: 1
        }
    }

    /// What a dataflow must be for the condition to hold, as a clause.
    var clause: String {
        switch self {
        case .purpose(_, let codes): "the purpose is \(codes.joined(separator: " or "))"
        case .words(let subject, let list):
            "the \(subject.rawValue) is \(list.words.joined(separator: " or "))"
        case .flag(.sends, let wanted): wanted ? "something is sent" : "nothing is sent"
        case .flag(.crosses, let wanted):
            wanted ? "it crosses the trust zone" : "it stays inside the trust zone"
        case .flag(.charging, let wanted): wanted ? "there is external power" : "there is battery power alone"
        case .flag(.metered, let wanted): wanted ? "the network is metered" : "the network is not metered"
        case .quantity(let quantity, let range):
            "\(quantity.noun) is \(Self.words(range, within: quantity.bounds))"
        case .hours(let range):
            "the time is from \(HourRange.text(range.from)) to \(HourRange.text(range.to))"
        }
    }

    /// What the device must have for the condition to hold, as a thing.
    var need: String {
        switch self {
        case .flag(.charging, let wanted): wanted ? "external power" : "battery power alone"
        case .flag(.metered, let wanted): wanted ? "a metered network" : "a network that is not metered"
        case .quantity(let quantity, let range):
            "\(quantity.noun) \(Self.words(range, within: quantity.bounds))"
        default: clause
        }
    }

    private static func words(_ range: ClosedRange<Int>, within bounds: ClosedRange<Int>) -> String {
        if range.upperBound == bounds.upperBound { return "at least \(range.lowerBound)" }
        if range.lowerBound == bounds.lowerBound { return "at most \(range.upperBound)" }
        return "from \(range.lowerBound) to \(range.upperBound)"
    }
}

extension Condition.Quantity {
    fileprivate var noun: String {
        switch self {
        case .cpuSeconds: "the processor time of a run in seconds"
        case .battery: "the battery in percent"
        case .cpuPressure: "the processor pressure in percent"
        case .cpuSecondsToday: "the processor time of today in seconds"
        case .bytesToday: "the bytes of today"
        }
    }
}

extension Rule {
    /// The rule in one sentence.
    public var sentence: String {
        let scope =
            when.isEmpty
            ? "all dataflows" : "dataflows where " + when.map(\.clause).joined(separator: " and ")
        switch effect {
        case .permit: return "permits \(scope)" + (asks ? ", and leaves the question to you" : ", unasked")
        case .forbid: return "forbids \(scope)"
        case .prefer: return "computes \(scope) where it is best for \((goal ?? .speed).rawValue)"
        case .require:
            let needs = needs.map(\.need).joined(separator: " and ")
            return "\(scope) must have \(needs); else they \(missing == .wait ? "wait" : "are refused")"
        }
    }
}
