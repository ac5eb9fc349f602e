/// How the individual decides about a dataflow: what goes with a yes, a yes to less, or a no.
public struct GrantTerms: Sendable {
    /// For how long.
    public var scope: ScopeChoice
    /// How the decision comes about: `prompt` or `settings`.
    public var reason: ConsentReason
    /// How much may be sent in a day.
    public var budget: EgressBudget?
    /// Whether it is for this very manifest alone.
    public var isPinned = false
    /// The versions that it is for.
    public var versions = VersionRange()
    /// The values that parameters must have.
    public var arguments: [String: String] = [:]
    /// How much less is served; a yes with a limit is `limited`.
    public var limit: GrantLimit?
    /// Whether a denied app is given what it would be given of no data at all.
    public var looksEmpty = false

    /// Decides for so long.
    public init(_ scope: ScopeChoice = .always, reason: ConsentReason) {
        self.scope = scope
        self.reason = reason
    }

    /// Decides for so long, and otherwise as another decision did: the same budget, versions, values and limit.
    public init(_ scope: ScopeChoice, reason: ConsentReason, like other: Grant) {
        self.init(scope, reason: reason)
        budget = other.budget
        isPinned = other.isPinned
        versions = other.versions
        arguments = other.arguments
        limit = other.limit
    }

    /// The grant, made now.
    func grant(_ isAllowed: Bool, for dataflow: Dataflow, at now: ConsentTime) -> Grant {
        let state: Grant.State = isAllowed ? (limit == nil ? .authorized : .limited) : .denied
        var grant = Grant(state, scope.scope(at: now), reason, for: dataflow, demanding: arguments, at: now)
        grant.budget = budget
        grant.isPinned = isPinned
        grant.versions = versions
        grant.limit = isAllowed ? limit : nil
        grant.looksEmpty = !isAllowed && looksEmpty
        return grant
    }
}
