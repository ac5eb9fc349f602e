import EscrowJSON

/// What an agent is answered: a line.
enum AgentAnswer {
    /// The errors of JSON-RPC, and the protocol's own.
    enum Fault: Int64 {
        case unreadable = -32700
        case unfit = -32600
        case noSuchMethod = -32601
        case wrongParameters = -32602
        case unsupportedVersion = -32022
    }

    static func result(_ id: AgentMessage.ID, _ value: JSONValue) -> [UInt8] {
        JSONWriter.line(["jsonrpc": "2.0", "id": id.json, "result": value]) + [0x0A]
    }

    static func error(
        _ id: AgentMessage.ID?, _ fault: Fault, _ message: String, data: JSONValue? = nil
    ) -> [UInt8] {
        var members: [(name: String, value: JSONValue)] = [
            ("code", .integer(fault.rawValue)), ("message", .string(message)),
        ]
        if let data { members.append(("data", data)) }
        return JSONWriter.line(["jsonrpc": "2.0", "id": id?.json ?? .null, "error": .object(members)]) + [
            0x0A
        ]
    }
}
