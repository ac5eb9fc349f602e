import EscrowHost
import EscrowJSON
import EscrowTabular

/// What an agent calls: a tool, with arguments that fit the schema which that tool has.
///
/// What does not fit is refused: a query or a parameter that was passed over would be another question than the agent asked.
struct AgentCall {
    let act: AgentTool.Act
    private(set) var plugin: String?
    private(set) var sql: String?
    private(set) var table: String?
    private var parameters: [(name: String, value: JSONValue)] = []

    /// What does not fit, in a sentence for the agent.
    struct Unfit: Error {
        let sentence: String

        static let noSuchTool = Unfit(sentence: "there is no such tool")
    }

    /// Reads the params of a call. Whether a plugin's tool exists shows later.
    init(_ params: JSONValue) throws(Unfit) {
        guard let name = params["name"]?.string, let act = AgentTool.Act(name) else { throw .noSuchTool }
        self.act = act
        guard let members = (params["arguments"] ?? .object([])).members else {
            throw Unfit(sentence: "\"arguments\" is no object")
        }
        let known = act.properties.map(\.0)
        for (name, value) in members {
            guard known.contains(name) else {
                throw Unfit(
                    sentence: "\"arguments\" has a member that this tool does not take; it takes "
                        + (known.isEmpty ? "none" : known.joined(separator: ", ")))
            }
            switch name {
            case "parameters": parameters = try Self.parameters(value)
            case "plugin": plugin = try Self.text(value, name)
            case "sql": sql = try Self.text(value, name)
            default: table = try Self.text(value, name)
            }
        }
        if let missing = act.required.first(where: { name in !members.contains { $0.name == name } }) {
            throw Unfit(sentence: "\"arguments\" has no \"\(missing)\"")
        }
    }

    private static func text(_ value: JSONValue, _ name: String) throws(Unfit) -> String {
        guard let text = value.string else { throw Unfit(sentence: "\"\(name)\" is no text") }
        return text
    }

    private static func parameters(_ value: JSONValue) throws(Unfit) -> [(name: String, value: JSONValue)] {
        guard let members = value.members else { throw Unfit(sentence: "\"parameters\" is no object") }
        for (_, value) in members {
            switch value {
            case .string, .integer, .real, .bool: continue
            case .null, .array, .object:
                throw Unfit(sentence: "a value in \"parameters\" is no text, number, true or false")
            }
        }
        return members
    }

    /// The run that it asks for, of this plugin.
    func request(app: String, plugin: String) -> RunRequest {
        var request = RunRequest(app: app, sql: sql, plugin: plugin)
        for (name, value) in parameters {
            request.arguments[name] = value.string ?? String(decoding: JSONWriter.line(value), as: UTF8.self)
            request.bindings[name] =
                switch value {
                case .string(let text): .text(text)
                case .integer(let number): .integer(number)
                case .real(let number): .real(number)
                case .bool(let truth): .integer(truth ? 1 : 0)
                case .null, .array, .object: .null
                }
        }
        return request
    }
}
