import Glibc

/// What the individual decided about one dataflow, as it stands until it is taken back.
@dynamicMemberLookup
public struct Grant: Sendable, Equatable {
    /// Yes, yes to less, or no.
    public enum State: String, Sendable, CaseIterable {
        case authorized
        case limited
        case denied
    }

    /// `g-` and twelve hexadecimal digits.
    public internal(set) var id: String
    /// Yes, yes to less, or no.
    public let state: State
    /// For how long.
    public let scope: GrantScope
    /// How the decision came about: `prompt` or `settings`.
    public let reason: ConsentReason
    /// The most that it is for; of a denial, the least. Without columns a denial is for any.
    public internal(set) var dataflow: Dataflow
    /// When it was decided, RFC 3339 UTC.
    public let createdAt: String
    /// How much may be sent in a day; nil: as much as the manifest allows in each run.
    public var budget: EgressBudget?
    /// When it was last used, if ever.
    public var lastUsedAt: String?
    /// How many runs used it; of a denial, how many it refused, where that is counted.
    public var useCount = 0
    /// Whether it is for this very manifest alone, and for no other version.
    public var isPinned = false
    /// The versions that it is for; all that the same key signed, where nothing is set.
    public var versions = VersionRange()
    /// When it came back out of a backup, if it did: it may have been taken back between the two. RFC 3339 UTC.
    public internal(set) var restoredAt: String?
    /// How much less is served; of a limited grant alone.
    public var limit: GrantLimit?
    /// Whether a denied app is given what it would be given of no data at all.
    public var looksEmpty = false
    /// Whether it was made for one run, and stands in no file.
    public internal(set) var isForOneRun = false

    /// A decision that was made before.
    init(
        id: String, state: State, scope: GrantScope, reason: ConsentReason, _ dataflow: Dataflow,
        createdAt: String
    ) {
        self.id = id
        self.state = state
        self.scope = scope
        self.reason = reason
        self.dataflow = dataflow
        self.createdAt = createdAt
    }

    /// What the individual decides about a dataflow now. The values that the app sets are the app's: of these only those
    /// are kept that the decision demands.
    init(
        _ state: State, _ scope: GrantScope, _ reason: ConsentReason, for dataflow: Dataflow,
        demanding arguments: [String: String] = [:], at time: ConsentTime
    ) {
        var generator = SystemRandomNumberGenerator()
        let digits = String(generator.next() & 0xFFFF_FFFF_FFFF, radix: 16)
        self.init(
            id: "g-" + String(repeating: "0", count: 12 - digits.count) + digits, state: state, scope: scope,
            reason: reason, dataflow, createdAt: time.description)
        self.dataflow.arguments = arguments
        self.dataflow.parameters?.sort()
    }

    public subscript<Value>(dynamicMember member: KeyPath<Dataflow, Value>) -> Value {
        dataflow[keyPath: member]
    }

    /// Whether it ends when nobody uses it: an app that is not to notice a denial would notice that it lasts longer than a yes.
    var endsLikeAYes: Bool { state != .denied || looksEmpty }

    /// Whether it is a denial of whatever is read.
    var isAboutAll: Bool { state == .denied && dataflow.reads.isEmpty }

    /// Whether it says all that a yes to the same dataflow would be for.
    public var canBeAllowedAnew: Bool { !isAboutAll && !isOfEarlierTimes && dataflow.parameters != nil }

    /// Whether this grant was given for another manifest than the one that asks now, and holds for it all the same,
    /// since that one asks for no more.
    public func isCarriedOver(to wanted: Dataflow) -> Bool {
        dataflow.plugin.manifestDigest != wanted.plugin.manifestDigest
    }

    /// Whether it was made when less was kept of a dataflow than now.
    var isOfEarlierTimes: Bool { dataflow.reach == nil || dataflow.files == nil }
}
