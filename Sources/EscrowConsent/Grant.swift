public import EscrowManifest
public import EscrowMinimisation
import Glibc

/// What the individual decided about one dataflow, as it stands until it is taken back.
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
    /// The app that asks.
    public let app: String
    /// The plugin's id.
    public let plugin: String
    /// The version that it was given for, for people.
    public var version: String
    /// The digest of the manifest that it was given for.
    public var manifestDigest: String
    /// The key that signed that manifest.
    public let signerKeyID: String
    /// The purpose as it was shown.
    public let purpose: DataflowDescription.Purpose
    /// Tables and columns. In a denial, empty means any.
    public let reads: [TableUse]
    /// What the plugin may be told the individual by.
    public let identifiers: [String]
    /// How much coarser than they are these are served at least.
    public let minimisation: Minimisation
    /// The digest of the result schema.
    public let resultDigest: String
    /// What may be sent.
    public let egress: [String]
    /// How much of it in a day; nil: as much as the manifest allows in each run.
    public let budget: EgressBudget?
    /// Who gets the result.
    public let target: String
    /// Where it is computed.
    public let place: String
    /// The fewest rows that it may compute over.
    public let minimumRows: Int
    /// Whether it may be a script.
    public let isScript: Bool
    /// When it was decided, RFC 3339 UTC.
    public let createdAt: String
    /// When it was last used, if ever.
    public var lastUsedAt: String?
    /// How many runs used it; of a denial, how many it refused, where that is counted.
    public var useCount: Int
    /// Whether it is for the manifest of `manifestDigest` alone, and for no other version.
    public var isPinned = false
    /// The versions that it is for; all that the same key signed, where nothing is set.
    public var versions = VersionRange()
    /// The names of the parameters that the app may set; nil for all.
    public var parameters: [String]?
    /// The values that parameters must have.
    public var arguments: [String: String] = [:]
    /// What may be sent and told, with every bound; nil in grants of a time when that was not kept.
    public internal(set) var reach: Reach?
    /// When it came back out of a backup, if it did: it may have been taken back between the two. RFC 3339 UTC.
    public internal(set) var restoredAt: String?
    /// How much less is served; of a limited grant alone.
    public var limit: GrantLimit?
    /// Whether a denied app is given what it would be given of no data at all.
    public var looksEmpty = false

    /// Whether it ends when nobody uses it: an app that is not to notice a denial would notice that it lasts longer than a yes.
    var endsLikeAYes: Bool { state != .denied || looksEmpty }

    /// Whether it is a denial of whatever is read.
    var isAboutAll: Bool { state == .denied && reads.isEmpty }

    /// Whether this grant was given for another manifest than the one that asks now, and holds for it all the same,
    /// since that one asks for no more.
    public func isCarriedOver(to description: DataflowDescription) -> Bool {
        manifestDigest != description.plugin.manifestDigest
    }

    /// Whether it was made for one run, and stands in no file.
    public internal(set) var isForOneRun = false

    /// What the individual decides about a dataflow now.
    init(
        _ state: State, _ scope: GrantScope, _ reason: ConsentReason, for description: DataflowDescription,
        budget: EgressBudget? = nil, at time: ConsentTime
    ) {
        var generator = SystemRandomNumberGenerator()
        let digits = String(generator.next() & 0xFFFF_FFFF_FFFF, radix: 16)
        self.init(
            id: "g-" + String(repeating: "0", count: 12 - digits.count) + digits, state: state, scope: scope,
            reason: reason, app: description.app, plugin: description.plugin.id,
            version: description.plugin.version,
            manifestDigest: description.plugin.manifestDigest, signerKeyID: description.plugin.signerKeyID,
            purpose: description.purpose, reads: description.reads, minimisation: description.minimisation,
            identifiers: description.identifiers,
            resultDigest: description.result.schemaDigest,
            egress: description.egress, budget: budget, target: description.target, place: description.place,
            minimumRows: description.minimumRows, isScript: description.isScript, createdAt: time.description,
            lastUsedAt: nil, useCount: 0)
        parameters = description.parameters.sorted()
        reach = description.reach
    }

    init(
        id: String, state: State, scope: GrantScope, reason: ConsentReason, app: String, plugin: String,
        version: String,
        manifestDigest: String, signerKeyID: String, purpose: DataflowDescription.Purpose, reads: [TableUse],
        minimisation: Minimisation, identifiers: [String],
        resultDigest: String, egress: [String], budget: EgressBudget?, target: String, place: String,
        minimumRows: Int, isScript: Bool, createdAt: String,
        lastUsedAt: String?,
        useCount: Int
    ) {
        self.id = id
        self.state = state
        self.scope = scope
        self.reason = reason
        self.app = app
        self.plugin = plugin
        self.version = version
        self.manifestDigest = manifestDigest
        self.signerKeyID = signerKeyID
        self.purpose = purpose
        self.reads = reads
        self.minimisation = minimisation
        self.identifiers = identifiers
        self.resultDigest = resultDigest
        self.egress = egress
        self.budget = budget
        self.target = target
        self.place = place
        self.minimumRows = minimumRows
        self.isScript = isScript
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.useCount = useCount
    }
}
