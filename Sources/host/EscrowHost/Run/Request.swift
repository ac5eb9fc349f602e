public import EscrowAppWire
public import EscrowConsent
public import EscrowJSON
import EscrowManifest
public import EscrowMinimisation
public import EscrowRelational
public import EscrowTabular

/// What a program asks for: `run(access(), compute())`.
public struct RunRequest: Sendable {
    /// Who asks: the app's id, for example `org.example.notes`.
    public var app: String
    /// access(): one `SELECT`; nil takes the plugin's own default access.
    public var sql: String?
    /// Values for the `:name` parameters of `sql`.
    public var bindings: [String: Cell]
    /// compute(): a plugin's id, or its last label where that is unique.
    public var plugin: String
    /// Values for the parameters that the plugin declares, as text; the manifest gives their types.
    public var arguments: [String: String]
    /// What the individual imposes on this run: data at least so coarse, whatever the plugin asks for. Set by what the
    /// individual decided, never by the app.
    public var imposed = Minimisation.none
    /// Which records of tables are served, by the same decision.
    var rows: [String: GrantLimit.Rows] = [:]
    /// How the tables are served. Every engine gives the same answers; only the owner chooses.
    public var engine = Engine.pushdown
    /// How the app is known. Set by who took its request, never by the app.
    public var proof = AppProof.claim
    /// What the app itself says about why it asks: at most two sentences.
    public var appWords = ""
    /// What the app says of a service that is told the individual's place.
    public var place: PlaceWish?
    /// Where it computes: a server by the individual's own name for it; nil for this device; `auto` leaves it to rules and figures.
    public var server: String?
    /// Why it computes there, where that was chosen for it. Never set by the app.
    var placed: String?
    /// What of the timetable it is, where nobody asked for it. Never set by the app.
    var schedule: String?
    /// Whether the individual wants to see the result before it is handed over.
    public var isPreview = false

    /// Describes a request.
    public init(
        app: String, sql: String? = nil, bindings: [String: Cell] = [:], plugin: String,
        arguments: [String: String] = [:]
    ) {
        self.app = app
        self.sql = sql
        self.bindings = bindings
        self.plugin = plugin
        self.arguments = arguments
    }
}

extension RunRequest {
    /// The same request over less.
    func limited(by limit: GrantLimit) -> RunRequest {
        var request = self
        request.imposed = imposed.joined(with: limit.coarser)
        request.rows = limit.rows
        return request
    }

    /// The same request without values that nothing would look at, as it is kept while it waits: an app can give any number of
    /// them.
    func asKept(sql: String, declared: Set<String>) -> RunRequest {
        let bound = Set(Access.parameterNames(in: sql))
        var request = self
        request.bindings = bindings.filter { bound.contains($0.key) }
        request.arguments = arguments.filter { declared.contains($0.key) }
        return request
    }
}

/// What the app gets, and what the individual is told besides.
public struct RunResult: Sendable {
    /// The result (Dt) as the app gets it.
    public enum Value: Sendable {
        /// A record, a table or a text, written out again from its typed values.
        case json(JSONValue)
        /// Bytes that the host cannot read, labelled with their media type.
        case bytes([UInt8], mediaType: String)

        /// The checked result: JSON where the host knows what it is, else bytes.
        init(_ result: NormalizedResult) {
            self = result.json.map(Value.json) ?? .bytes(result.bytes, mediaType: result.mediaType)
        }
    }

    /// The run's id in the ledger.
    public let run: String
    /// The result.
    public let value: Value
    /// How the result's columns are called, where it is a table.
    public let columns: [String]?
    /// What it took.
    public let figures: RunFigures
}
