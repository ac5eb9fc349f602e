import EscrowConsent
import EscrowHost
import EscrowJSON
import EscrowManifest
import EscrowTrust

/// A tool as an agent sees it. None decides, changes or sends anything: whatever an agent is talked into, it can ask, and the
/// individual answers elsewhere.
struct AgentTool {
    enum Act: Equatable {
        case plugins, schema, explain, status, run
        /// `run` for one plugin, with its own result's schema: the tool's name.
        case runOf(String)

        /// What a name calls; nil for none.
        init?(_ name: String) {
            switch name {
            case "plugins": self = .plugins
            case "schema": self = .schema
            case "explain": self = .explain
            case "status": self = .status
            case "run": self = .run
            default:
                guard name.hasPrefix(AgentTool.prefix) else { return nil }
                self = .runOf(name)
            }
        }

        /// The arguments that there are, with the schema of each.
        var properties: [(String, JSONValue)] {
            switch self {
            case .plugins: []
            case .schema: [("table", ["type": "string"])]
            case .explain, .status, .run: AgentTool.named
            case .runOf: AgentTool.query
            }
        }

        /// Those of them that must be given.
        var required: [String] {
            switch self {
            case .plugins, .schema, .runOf: []
            case .explain, .status, .run: ["plugin"]
            }
        }
    }

    let name: String
    let act: Act
    let description: String
    let output: JSONValue
    var input: JSONValue { ResultSchema.object(act.properties, required: act.required) }

    /// Whether it can start a computation, which may send what the individual allowed it to.
    private var runs: Bool {
        switch act {
        case .plugins, .schema, .explain, .status: false
        case .run, .runOf: true
        }
    }

    var json: JSONValue {
        [
            "name": .string(name), "description": .string(description), "inputSchema": input,
            "outputSchema": output,
            "annotations": [
                "readOnlyHint": .bool(!runs), "destructiveHint": false, "openWorldHint": .bool(runs),
            ],
        ]
    }

    fileprivate static let query: [(String, JSONValue)] = [
        ("sql", ["type": "string", "description": "One SELECT; without it the plugin's own query is used."]),
        (
            "parameters",
            [
                "type": "object", "description": "Values by name, for the plugin and for :name in the query.",
                "additionalProperties": ["type": ["string", "number", "boolean"]],
            ]
        ),
    ]
    fileprivate static let named: [(String, JSONValue)] =
        [("plugin", ["type": "string", "description": "A plugin's id, as the tool plugins lists it."])]
        + query
    private static let anything: JSONValue = ["type": "object"]

    /// The tools that there always are.
    static let always: [AgentTool] = [
        AgentTool(
            name: "plugins", act: .plugins,
            description: "List the plugins that can compute on the individual's data, and what each returns.",
            output: ResultSchema.object([("plugins", ["type": "array", "items": anything])])),
        AgentTool(
            name: "schema", act: .schema,
            description: "List the tables that a query can name, or describe one. There are no rows in it.",
            output: ResultSchema.object([("tables", ["type": "array", "items": anything])])),
        AgentTool(
            name: "explain", act: .explain,
            description: "Say what a run would read, compute, return and send. Nothing is started.",
            output: anything),
        AgentTool(
            name: "status", act: .status,
            description:
                "Say whether the individual allows a run: authorized, denied, restricted or notDetermined.",
            output: ResultSchema.object([
                ("status", ["enum": ["authorized", "denied", "restricted", "notDetermined"]])
            ])),
        AgentTool(
            name: "run", act: .run,
            description:
                "Run a plugin over the individual's data and get its result, never the data. What the individual has not decided is put to them, on their own page or terminal; it can be asked for again later.",
            output: ResultSchema.object([("plugin", ["type": "string"]), ("result", anything)])),
    ]

    /// `run` for one plugin. The publisher's words stand in quotation marks that they cannot close.
    init(of manifest: Manifest) {
        name = Self.name(of: manifest.id)
        act = .runOf(name)
        description =
            "Run the plugin \(manifest.id), which its publisher calls \(PlainText.quoted(manifest.title)), over the individual's data and get its result: \(PlainText.neutral(manifest.result.sentence, longest: 600))"
        output = manifest.result.jsonSchema
    }

    private init(name: String, act: Act, description: String, output: JSONValue) {
        self.name = name
        self.act = act
        self.description = description
        self.output = output
    }

    fileprivate static let prefix = "run_"
    /// The longest name that agents take.
    private static let longestName = 64

    /// The name of a plugin's tool: made of its id alone, so that it is never another plugin's, whatever is installed or removed.
    static func name(of id: String) -> String {
        let name = prefix + id.replacing(".", with: "_")
        guard name.utf8.count > longestName else { return name }
        // No id has a dot behind a dot, so that no name that fits is one that was cut. Half of these digits could be met by trying.
        let end = "__" + Digest(of: Array(id.utf8)).hexadecimal.prefix(16)
        return name.prefix(longestName - end.utf8.count) + end
    }

    /// The plugin whose tool has a name; nil where none has it, or two.
    static func plugin(named name: String, among ids: [String]) -> String? {
        let named = ids.filter { Self.name(of: $0) == name }
        return named.count == 1 ? named[0] : nil
    }
}
