/// What a session allows a plugin at most. Time is the host's business: a session has no clock.
public struct SessionLimits: Sendable {
    /// Bytes of a line from the plugin, its line end not counted; a result's line has `resultBytes` besides.
    public var lineBytes: Int
    /// Bytes of a tell: a line that asks for nothing.
    public var tellBytes: Int
    /// Tells that are passed on; later ones are counted and dropped.
    public var tells: Int
    /// Bytes of the result, as the manifest declares.
    public var resultBytes: Int
    public var rowsPerAsk: Int
    /// Bytes that a line of JSON rows aims to stay under; a single longer row still travels whole.
    public var hostLineBytes: Int

    /// Sets limits; the defaults are the protocol's.
    public init(
        resultBytes: Int, lineBytes: Int = 65_536, tellBytes: Int = 4_096, tells: Int = 1_000,
        rowsPerAsk: Int = 8_192, hostLineBytes: Int = 1 << 20
    ) {
        self.resultBytes = resultBytes
        self.lineBytes = lineBytes
        self.tellBytes = tellBytes
        self.tells = tells
        self.rowsPerAsk = rowsPerAsk
        self.hostLineBytes = hostLineBytes
    }

    /// The longest line that may carry a result: what surrounds the value comes on top of the declared size.
    var resultLineBytes: Int {
        let envelope = 1_024
        return max(lineBytes, min(max(resultBytes, 0), Int.max - envelope) + envelope)
    }
}

/// What a host may offer a plugin besides the first line.
public enum WireFeature: String, Sendable, Hashable, CaseIterable {
    case rows
    /// The bytes behind an asset's handle.
    case asset
    /// Requests that the host sends to declared endpoints.
    case fetch
}

/// How rows travel.
public enum RowsForm: String, Sendable, Hashable {
    /// One Arrow IPC stream in pieces.
    case arrow
    /// JSON arrays, one line an answer.
    case json
}

/// The four kinds of result that a manifest can declare.
public enum ResultKind: String, Sendable, Hashable, CaseIterable {
    case record
    case table
    case text
    case bytes
}
