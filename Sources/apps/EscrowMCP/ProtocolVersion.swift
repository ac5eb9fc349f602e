import EscrowJSON

/// The versions of the Model Context Protocol that are spoken.
enum ProtocolVersion {
    /// Since this version each request says its version itself, and there is no beginning.
    static let current = "2026-07-28"
    /// Versions that begin with `initialize`, the newest last.
    static let withBeginning = ["2025-06-18", "2025-11-25"]
    static let all = withBeginning + [current]

    /// The version that a request says it speaks; nil in a version with a beginning.
    static func said(in params: JSONValue) -> String? {
        params["_meta"]?["io.modelcontextprotocol/protocolVersion"]?.string
    }

    /// What each answer of the current version has besides: that it is whole, and that nobody keeps it.
    static func marked(_ members: [(name: String, value: JSONValue)], isCached: Bool) -> JSONValue {
        var marks: [(name: String, value: JSONValue)] = [("resultType", "complete")]
        if isCached { marks += [("ttlMs", 0), ("cacheScope", "private")] }
        return .object(members + marks)
    }
}
