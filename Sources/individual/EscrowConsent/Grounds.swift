public import EscrowJSON

/// What rules say about a dataflow: the grounds of a decision, as the sheet and the ledger tell them.
public struct Grounds: Sendable, Equatable {
    /// What the rules looked at.
    public var facts = DataflowFacts()
    /// The rules that decide, by id, in order; empty where no rule does.
    public var rules: [String] = []
    /// All permits that match.
    public var permits: [String] = []
    /// All forbids and requirements that apply.
    public var objections: [String] = []
    /// What a place is chosen for, the most important first, and the rules that say so.
    public var goals: [Rule.Goal] = []
    public var preferring: [String] = []
    /// The rules that could not be evaluated: permits and preferences among them did not count, all others did.
    public var unevaluable: [String] = []
    /// The individual's requirements that make the dataflow wait once it is allowed, by id.
    public var ownWaits: [String] = []
    /// What the device lacks, in words: of the requirements that refuse, else of those that make it wait.
    public var missing: [String] = []
    /// The restriction that says no.
    public var restriction: Restriction?
    /// The rules of that restriction which say so.
    public var restrictionRules: [String] = []
    /// What the device lacks for them, in words.
    public var restrictionMissing: [String] = []
    /// The restriction by which decisions stay as they are: what nobody decided is then not asked about.
    public var freezing: Restriction?
    /// Restrictions that make the dataflow wait, with what each waits for.
    public var restrictionWaits: [RestrictionWait] = []
    /// The first 16 hexadecimal digits of the SHA-256 of the preferences; nil without a file.
    public var revision: String?
    /// What the run may use of today, where a rule looks at that.
    public var today: DayAllowance?

    /// A restriction that makes a dataflow wait.
    public struct RestrictionWait: Sendable, Equatable {
        /// The restriction.
        public let restriction: Restriction
        /// What the device lacks, in words.
        public let missing: [String]

        /// Pairs the two.
        public init(_ restriction: Restriction, missing: [String]) {
            self.restriction = restriction
            self.missing = missing
        }
    }

    /// Nothing said.
    public init() {}

    /// All rules that make it wait: the individual's by id, others' by the id of the restriction.
    public var waits: [String] { ownWaits + restrictionWaits.map(\.restriction.id) }
    /// All that it waits for, in words.
    public var waitsFor: [String] {
        Set((ownWaits.isEmpty ? [] : missing) + restrictionWaits.flatMap(\.missing)).sorted()
    }

    /// For the ledger.
    public var members: [(name: String, value: JSONValue)] {
        var members: [(name: String, value: JSONValue)] = [("facts", facts.json)]
        if let revision { members.append(("preferences", .string(revision))) }
        if !rules.isEmpty { members.append(("rules", .array(rules.map(JSONValue.string)))) }
        return members
    }
}
