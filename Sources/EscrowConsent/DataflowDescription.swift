public import EscrowManifest
public import EscrowMinimisation

/// One dataflow as the individual decides about it: what data, for what purpose, computed how, sent where.
public struct DataflowDescription: Sendable, Equatable {
    /// The plugin that would compute.
    public struct Plugin: Sendable, Equatable {
        /// Its id, reverse DNS.
        public var id: String
        /// Its version, for people.
        public var version: String
        /// `sha256:` and the digest of the exact manifest bytes.
        public var manifestDigest: String
        /// The id of the key that signed the manifest.
        public var signerKeyID: String
        /// The publisher's name, as it says itself; nothing is decided by it.
        public var publisher: String
        /// Names a plugin.
        public init(
            id: String, version: String, manifestDigest: String, signerKeyID: String, publisher: String
        ) {
            self.id = id
            self.version = version
            self.manifestDigest = manifestDigest
            self.signerKeyID = signerKeyID
            self.publisher = publisher
        }
    }

    /// A purpose.
    public struct Purpose: Sendable, Equatable {
        /// From the closed list of the manifest.
        public var code: String
        /// The publisher's words.
        public var text: String
        /// Names a purpose.
        public init(code: String, text: String) {
            self.code = code
            self.text = text
        }
    }

    /// What the plugin gives back.
    public struct Result: Sendable, Equatable {
        /// One sentence: fields and size.
        public var summary: String
        /// `sha256:` and the digest of the result schema.
        public var schemaDigest: String
        /// Names a result.
        public init(summary: String, schemaDigest: String) {
            self.summary = summary
            self.schemaDigest = schemaDigest
        }
    }

    /// The id of the app that asks.
    public var app: String
    /// The plugin that would compute.
    public var plugin: Plugin
    /// What for.
    public var purpose: Purpose
    /// The tables and columns, as the query really reads them.
    public var reads: [TableUse]
    /// How much coarser than they are these are served: by the plugin's own wish or by the individual's.
    public var minimisation: Minimisation
    /// The names of the parameters that the app sets.
    public var parameters: [String]
    /// What the plugin is told the individual by, one phrase each: `your identifier for this app alone`.
    public var identifiers: [String]
    /// The values of parameters, as text, for grants that name values. They are the app's own.
    public var arguments: [String: String] = [:]
    /// Which files the plugin may open whole, in one sentence; empty where it opens none.
    public var opens = ""
    /// What the app would get.
    public var result: Result
    /// What would be sent over the network, one sentence each; empty means nothing.
    public var egress: [String]
    /// The same, and what it may be told, with every bound, as its manifest has it: what a grant keeps, since sentences are
    /// for people. Nil where nobody looked.
    public var reach: Reach?
    /// How many bits a run can carry away at most, by requests and by its result, in one sentence.
    public var capacity: String
    /// Who gets the result, for example `app:org.example.notes`.
    public var target: String
    /// Where it is computed, for example `this device`.
    public var place: String
    /// The fewest rows that it computes over: with fewer it does not start, so that nobody is singled out.
    public var minimumRows: Int
    /// Whether it is a script, whose walls show it an interpreter and its libraries; else it sees no file at all.
    public var isScript: Bool
    /// One sentence: time, memory, walls.
    public var limits: String
    /// What the individual should know before saying yes, one sentence each: walls of the sandbox that are lowered.
    public var warnings: [String]
    /// Whether it stays inside the individual's trust zone or leaves it, in one sentence; empty where nobody looked.
    public var zone = ""
    /// What the individual's own rules say about it, one sentence each.
    public var rules: [String] = []
    /// What must be seen before anything else, in the plainest words: the data itself leaves.
    public var alarms: [String] = []

    /// Takes everything; tables and columns are put in order.
    public init(
        app: String, plugin: Plugin, purpose: Purpose, reads: [TableUse], parameters: [String] = [],
        result: Result,
        egress: [String] = [], capacity: String, target: String, place: String = "this device",
        minimumRows: Int = 0,
        isScript: Bool = false, limits: String, warnings: [String] = [], minimisation: Minimisation = .none,
        identifiers: [String] = []
    ) {
        self.app = app
        self.plugin = plugin
        self.purpose = purpose
        self.reads = TableUse.merged(reads)
        self.parameters = parameters
        self.result = result
        self.egress = egress
        self.capacity = capacity
        self.target = target
        self.place = place
        self.minimumRows = minimumRows
        self.isScript = isScript
        self.limits = limits
        self.warnings = warnings
        self.minimisation = minimisation
        self.identifiers = identifiers
    }
}
