public import EscrowJSON
public import EscrowPlugin
public import EscrowTabular
public import EscrowWire

/// A host within the test's own process: runs a plugin's `compute` over rows in memory, by the same protocol and the
/// same state machine as the real host.
///
///     let host = try MockHost(columns: [Field("age", type: .integer)], rows: [[.integer(34)], [.integer(58)]])
///     let outcome = try host.run(AverageAge())
///     #expect(outcome.record?["mean_age"] == .real(46))
///
/// Sandbox, limits and the declared fields of the result are not here: `escrow plugin test` has them.
public struct MockHost {
    /// The columns of the rows.
    public let schema: Schema
    /// The rows, a value for each column.
    public var rows: [[Cell]]
    /// The parameters of the run.
    public var parameters: [(name: String, value: JSONValue)]
    /// What stands behind the handles in columns of type `asset`.
    public var assets: [String: (mediaType: String, bytes: [UInt8])]
    /// What the servers behind the plugin's endpoints answer; empty: it may ask for no requests.
    public var responses: [String: (status: Int, mediaType: String, bytes: [UInt8])] = [:]
    /// Whether the manifest has all requests of a run sent together.
    public var isTogether = false
    /// The declared kind of the result.
    public var resultKind: ResultKind
    /// The declared size of the result.
    public var resultBytes: Int
    /// Rows in one answer; small, so that tests see more than one batch.
    public var rowsPerAsk: Int
    /// If set, the host cancels at this ask, counted from 1.
    public var cancelsAtAsk: Int?

    /// Describes a run.
    /// - Throws: `columnCount`, `duplicateName`.
    public init(
        columns: [Field], rows: [[Cell]] = [], parameters: [(name: String, value: JSONValue)] = [],
        assets: [String: (mediaType: String, bytes: [UInt8])] = [:], resultKind: ResultKind = .record,
        resultBytes: Int = 1 << 20, rowsPerAsk: Int = 100
    ) throws {
        schema = try Schema(columns)
        self.rows = rows
        self.parameters = parameters
        self.assets = assets
        self.resultKind = resultKind
        self.resultBytes = resultBytes
        self.rowsPerAsk = rowsPerAsk
    }

    /// What a run came to.
    public struct Outcome {
        /// The result, if there is one.
        public let result: ResultPayload?
        /// The refusal, if the plugin said no.
        public let refusal: (code: RefusalCode, message: String)?
        /// What the plugin told: log lines and notes, in order.
        public let log: [String]
        /// What went through.
        public let counts: SessionCounts
        /// The status that the plugin's process would have exited with.
        public let exitStatus: Int32

        /// The result as JSON, if it came so: a record, `{"rows":[…]}` or `{"text":"…"}`.
        public var record: JSONValue? {
            if case .json(let node)? = result { node.value } else { nil }
        }
    }

    /// Runs a plugin from the host's first line to its end.
    /// - Throws: the rule of the protocol that was broken (`WireError`), or `TabularError` if a row does not fit the
    ///   columns.
    public func run<Plugin: ComputePlugin>(_ plugin: Plugin) throws -> Outcome {
        let channel = MockChannel(self)
        let status = Plugin.serve(plugin, over: channel)
        if let failure = channel.failure { throw failure }
        if status == .done { try channel.session.endOfOutput() }
        return Outcome(
            result: channel.result, refusal: channel.refusal, log: channel.log,
            counts: channel.session.counts,
            exitStatus: status.rawValue)
    }
}
