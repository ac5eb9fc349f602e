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

    typealias Members = [(name: String, value: JSONValue)]

    /// `isMarked`: in the current version of the protocol.
    static func result(
        _ id: AgentMessage.ID, _ members: Members, isMarked: Bool, isCached: Bool = false
    ) -> [UInt8] {
        let value = isMarked ? ProtocolVersion.marked(members, isCached: isCached) : .object(members)
        return JSONWriter.line(["jsonrpc": "2.0", "id": id.json, "result": value]) + [0x0A]
    }

    /// The longest result that an answer holds twice: structured, and as text for agents that know no other.
    static let mostText = 1 << 20

    /// What a call came to. A long result stands in it once: as text each of its quotation marks would be three bytes.
    static func content(_ value: JSONValue) -> Members {
        let line = JSONWriter.line(value)
        let text =
            line.count <= mostText
            ? String(decoding: line, as: UTF8.self)
            : "The result is longer than 1 MiB. It stands in structuredContent alone."
        return [
            ("content", [["type": "text", "text": .string(text)]]), ("structuredContent", value),
            ("isError", false),
        ]
    }

    /// Why a call has no result.
    static func failure(_ sentence: String) -> Members {
        [("content", [["type": "text", "text": .string(sentence)]]), ("isError", true)]
    }

    static func error(
        _ id: AgentMessage.ID?, _ fault: Fault, _ message: String, data: JSONValue? = nil
    ) -> [UInt8] {
        var members: Members = [
            ("code", .integer(fault.rawValue)), ("message", .string(message)),
        ]
        if let data { members.append(("data", data)) }
        return JSONWriter.line(["jsonrpc": "2.0", "id": id?.json ?? .null, "error": .object(members)]) + [
            0x0A
        ]
    }
}
