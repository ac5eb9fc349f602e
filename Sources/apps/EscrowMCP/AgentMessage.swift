public import EscrowJSON

/// One message of an agent's, JSON-RPC 2.0: a line.
public enum AgentMessage: Sendable {
    /// Something that is answered. `params` is an object, empty where there was none.
    case request(id: ID, method: String, params: JSONValue)
    /// Something that is not.
    case notification(method: String, params: JSONValue)

    /// What names a request.
    public enum ID: Sendable, Hashable {
        case number(Int64)
        case text(String)

        public var json: JSONValue {
            switch self {
            case .number(let number): .integer(number)
            case .text(let text): .string(text)
            }
        }

        init?(_ value: JSONValue) {
            switch value {
            case .integer(let number): self = .number(number)
            case .string(let text) where text.utf8.count <= 128: self = .text(text)
            default: return nil
            }
        }
    }

    /// Why a line is none.
    public enum Fault: Error, Sendable, Equatable {
        /// No JSON.
        case unreadable
        /// JSON, and no message.
        case unfit(ID?)
    }

    /// The most bytes of a line.
    public static let maximumBytes = 1 << 20

    /// Reads a line, without its line feed. Members that nobody here knows are left alone: the protocol grows. An answer is none:
    /// nothing is asked of an agent.
    public init(line: [UInt8]) throws(Fault) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(
                line, limits: .init(depth: 32, bytes: Self.maximumBytes, values: 50_000)
            ).value
        } catch { throw .unreadable }
        guard value.members != nil else { throw .unfit(nil) }
        let id: ID?
        switch value["id"] {
        case nil: id = nil
        case let given?:
            guard let read = ID(given) else { throw .unfit(nil) }
            id = read
        }
        guard value["jsonrpc"]?.string == "2.0", let method = value["method"]?.string,
            method.utf8.count <= 128
        else { throw .unfit(id) }
        let params = value["params"] ?? .object([])
        guard params.members != nil else { throw .unfit(id) }
        self =
            id.map { .request(id: $0, method: method, params: params) }
            ?? .notification(method: method, params: params)
    }
}
