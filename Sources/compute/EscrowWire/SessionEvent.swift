public import EscrowJSON

/// What a plugin did, as the host acts on it.
public enum SessionEvent: Sendable {
    /// The plugin wants at most `max` rows; answer with ``Session/answer(batch:more:)``. Never more than
    /// ``SessionLimits/rowsPerAsk``.
    case rows(max: Int, form: RowsForm)
    /// The plugin wants an asset's bytes; answer with ``Session/answer(asset:mediaType:)``, then the bytes
    /// themselves. The host checks that the handle went out in a row of this run.
    case asset(id: String)
    /// The plugin wants these assets, at least one; answer with ``Session/answer(assets:)``, then the bytes of those that it is
    /// given, one after the other.
    case assets([String])
    /// The plugin wants a request sent; answer with ``Session/answer(status:bytes:mediaType:)``, then the body.
    case fetch(RequestAsk)
    /// The plugin wants these requests sent in one go, at least one; answer with ``Session/answer(together:)``, then the
    /// bodies, one after the other.
    case fetchTogether([RequestAsk])
    /// Bytes to write to the plugin at once: rows that were too many for one line before.
    case send([UInt8])
    /// The plugin named its SDK. Text of the plugin's: to be treated as if it held data.
    case hello(sdk: String)
    /// How far the plugin is, from 0 to 1, and perhaps a note. Text of the plugin's.
    case progress(Double, note: String?)
    case log(LogLevel, String)
    /// The result. It counts only once the plugin has exited cleanly.
    case result(ResultPayload)
    /// The plugin says no. The code is one of a closed list; the message is text of the plugin's.
    case refusal(RefusalCode, message: String)
}

/// A request that a plugin wants sent. The host checks names and values.
public struct RequestAsk: Sendable {
    /// The name of an endpoint of the manifest.
    public let endpoint: String
    /// An object whose values are scalars, or lists of them.
    public let fields: JSONNode
    /// The handle of a file that goes along, out of a row of this run.
    public let asset: String?
    /// From where on and how many bytes of that file; nil for all of it.
    public let part: Range<Int>?
    /// The media type of bytes that follow the ask, and how many they are; nil where none do.
    public let announced: (bytes: Int, mediaType: String)?
    /// Those bytes, once they have come.
    public internal(set) var made: [UInt8] = []
}

/// One of several assets that were asked for, as the plugin is told.
public enum AssetAnswer: Sendable {
    /// It has so many bytes.
    case file(bytes: Int, mediaType: String)
    /// With an error of the protocol.
    case error(code: String, message: String)
}

/// How one of several requests ended, as the plugin is told.
public enum RequestEnd: Sendable {
    /// With an answer whose body has so many bytes.
    case response(status: Int, bytes: Int, mediaType: String)
    /// With an error of the protocol.
    case error(code: String, message: String)
}

/// How much a log line matters.
public enum LogLevel: String, Sendable, Hashable, CaseIterable {
    case debug, info, warning, error
}

/// Why a plugin refuses. The list is closed, so that the code itself carries next to nothing to the app.
public enum RefusalCode: String, Sendable, Hashable, CaseIterable {
    /// Too few rows for an answer that means anything.
    case notEnoughData = "not-enough-data"
    /// A parameter that the plugin cannot work with.
    case badParameter = "bad-parameter"
    /// Rows or assets of a kind that the plugin cannot work with.
    case unsupportedData = "unsupported-data"
    case other
    /// The host cancelled, and the plugin stopped.
    case cancelled
}

/// A result as it came: of the declared kind, within the declared size on the wire, its fields not yet checked.
public enum ResultPayload: Sendable {
    /// A record as an object, a table as `{"rows":[[…],…]}` with arrays for rows, a text as `{"text":"…"}`.
    case json(JSONNode)
    case rows([[JSONValue]])
    /// A table as one Arrow IPC stream that claims this many rows; a filter claims none.
    case stream([UInt8], rows: Int?)
    /// Bytes with the media type that the plugin claims; a filter claims none, and its text comes so as well.
    case bytes([UInt8], mediaType: String?)
}

/// What went through a session, in counts.
public struct SessionCounts: Sendable, Hashable {
    public var rows = 0
    /// Bytes that carried rows.
    public var rowBytes = 0
    public var assets = 0
    public var assetBytes = 0
    public var fetches = 0
    public var asks = 0
    /// Tells received, those dropped included.
    public var tells = 0
    public var droppedTells = 0

    public init() {}
}
