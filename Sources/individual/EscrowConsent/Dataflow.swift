public import EscrowLocationPrivacy
public import EscrowManifest
public import EscrowMinimisation

/// One dataflow ⟨source, data, purpose, computation, result, egress, target, place⟩ with all that a decision depends on, and
/// nothing that is only for people.
///
/// Decisions, the queue, the ledger and replay hold and compare this. What people read is made from it, in
/// `DataflowDescription`, so that another wording, or another language, never asks again.
public struct Dataflow: Sendable, Hashable {
    /// The plugin that computes.
    public struct Plugin: Sendable, Hashable {
        /// Its id, reverse DNS.
        public var id: String
        /// Its version; it orders nothing but versions that the same key signed.
        public var version: String
        /// `sha256:` and the digest of the exact manifest bytes.
        public var manifestDigest: String
        /// The id of the key that signed the manifest.
        public var signerKeyID: String
        /// Names a plugin.
        public init(id: String, version: String, manifestDigest: String, signerKeyID: String) {
            self.id = id
            self.version = version
            self.manifestDigest = manifestDigest
            self.signerKeyID = signerKeyID
        }
    }

    /// A purpose.
    public struct Purpose: Sendable, Hashable {
        /// From the closed list of the manifest.
        public var code: String
        /// The publisher's words: another promise is another dataflow.
        public var text: String
        /// Names a purpose.
        public init(code: String, text: String) {
            self.code = code
            self.text = text
        }
    }

    /// The id of the app that asks.
    public var app: String
    /// The plugin that computes.
    public var plugin: Plugin
    /// What for.
    public var purpose: Purpose
    /// The tables and columns, as the query really reads them, in order.
    public var reads: [TableUse]
    /// The media types of the files that the plugin may open whole, in order, as its manifest has them and whatever this query
    /// reads: what holds for one manifest holds for each of its queries. Nil in a decision of a time when that was not kept.
    public var files: [String]?
    /// How much coarser than they are these are served: by the plugin's own wish or by the individual's.
    public var minimisation: Minimisation
    /// The fewest rows that it computes over: with fewer it does not start, so that nobody is singled out.
    public var minimumRows: Int
    /// The names of the parameters that the app sets. Nil in a decision that holds for any: of a time when that was not kept.
    public var parameters: [String]?
    /// The values of parameters as text: those that the app sets; in a decision, those that it demands.
    public var arguments: [String: String]
    /// What the plugin is told the individual by, in order.
    public var identifiers: [IdentifierScope]
    /// What may be sent and told, with every bound. Nil in a decision of a time when that was not kept.
    public var reach: Reach?
    /// How exactly each endpoint that tells the individual's place tells it at most, by their rules, as they stand.
    public var places: [String: Telling] = [:]
    /// `sha256:` and the digest of the result schema.
    public var resultDigest: String
    /// Who gets the result: `app:` and its id.
    public var target: String
    /// Where it is computed.
    public var place: Place
    /// How the app that asks is known; in a decision, how it must be known at least.
    public var proof = AppProof.claim
    /// Whether it is a script, whose walls show it an interpreter and its libraries; else it sees no file at all.
    public var isScript: Bool
    /// Whether machine code of the publisher's is loaded beside a script.
    public var hasCode: Bool
    /// Whether its publisher shows its code to nobody: it runs on servers alone.
    public var isConfidential = false

    /// Takes everything; tables and columns are put in order.
    public init(
        app: String, plugin: Plugin, purpose: Purpose, reads: [TableUse], files: [String]? = [],
        minimisation: Minimisation = .none, minimumRows: Int = 0, parameters: [String]? = [],
        arguments: [String: String] = [:], identifiers: [IdentifierScope] = [], reach: Reach? = .nothing,
        resultDigest: String, target: String, place: Place = .device, isScript: Bool = false,
        hasCode: Bool = false
    ) {
        self.app = app
        self.plugin = plugin
        self.purpose = purpose
        self.reads = TableUse.merged(reads)
        self.files = files
        self.minimisation = minimisation
        self.minimumRows = minimumRows
        self.parameters = parameters
        self.arguments = arguments
        self.identifiers = identifiers.sorted()
        self.reach = reach
        self.resultDigest = resultDigest
        self.target = target
        self.place = place
        self.isScript = isScript
        self.hasCode = hasCode
    }

    /// Whether it can send anything. What is not known counts as sending.
    public var sends: Bool { reach.map { $0.egress.contains { $0.template.effect == nil } } ?? true }
}
