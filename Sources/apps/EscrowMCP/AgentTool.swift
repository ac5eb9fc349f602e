import EscrowConsent
import EscrowHost
import EscrowJSON
import EscrowManifest

/// A tool as an agent sees it. None decides, changes or sends anything: whatever an agent is talked into, it can ask, and the
/// individual answers elsewhere.
struct AgentTool {
    enum Act {
        case plugins, schema, explain, status, run
        /// `run` for one plugin, with its own result's schema.
        case runOf(String)
    }

    let name: String
    let act: Act
    let description: String
    let input: JSONValue
    let output: JSONValue

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

    private static let query: [(String, JSONValue)] = [
        ("sql", ["type": "string", "description": "One SELECT; without it the plugin's own query is used."]),
        (
            "parameters",
            [
                "type": "object", "description": "Values by name, for the plugin and for :name in the query.",
                "additionalProperties": ["type": ["string", "number", "boolean"]],
            ]
        ),
    ]
    private static let named: [(String, JSONValue)] =
        [("plugin", ["type": "string", "description": "A plugin's id, as the tool plugins lists it."])]
        + query
    private static let anything: JSONValue = ["type": "object"]

    /// The tools that there always are.
    static let always: [AgentTool] = [
        AgentTool(
            name: "plugins", act: .plugins,
            description: "List the plugins that can compute on the individual's data, and what each returns.",
            input: ResultSchema.object([], required: []),
            output: ResultSchema.object([("plugins", ["type": "array", "items": anything])])),
        AgentTool(
            name: "schema", act: .schema,
            description: "List the tables that a query can name, or describe one. There are no rows in it.",
            input: ResultSchema.object([("table", ["type": "string"])], required: []),
            output: ResultSchema.object([("tables", ["type": "array", "items": anything])])),
        AgentTool(
            name: "explain", act: .explain,
            description: "Say what a run would read, compute, return and send. Nothing is started.",
            input: ResultSchema.object(named, required: ["plugin"]), output: anything),
        AgentTool(
            name: "status", act: .status,
            description:
                "Say whether the individual allows a run: authorized, denied, restricted or notDetermined.",
            input: ResultSchema.object(named, required: ["plugin"]),
            output: ResultSchema.object([
                ("status", ["enum": ["authorized", "denied", "restricted", "notDetermined"]])
            ])),
        AgentTool(
            name: "run", act: .run,
            description:
                "Run a plugin over the individual's data and get its result, never the data. What the individual has not decided is put to them, on their own page or terminal; it can be asked for again later.",
            input: ResultSchema.object(named, required: ["plugin"]),
            output: ResultSchema.object([("plugin", ["type": "string"]), ("result", anything)])),
    ]

    /// `run` for one plugin. The publisher's words stand in quotation marks that they cannot close.
    init(of manifest: Manifest, name: String) {
        self.name = name
        act = .runOf(manifest.id)
        description =
            "Run the plugin \(manifest.id), which its publisher calls \(PlainText.quoted(manifest.title)), over the individual's data and get its result: \(PlainText.neutral(manifest.result.sentence, longest: 600))"
        input = ResultSchema.object(Self.query, required: [])
        output = manifest.result.jsonSchema
    }

    private init(name: String, act: Act, description: String, input: JSONValue, output: JSONValue) {
        self.name = name
        self.act = act
        self.description = description
        self.input = input
        self.output = output
    }

    /// A tool's name for each plugin: the short one where only one has it.
    static func name(of id: String, shortName: String, isAlone: Bool) -> String {
        let name = "run_" + (isAlone ? shortName : id)
        return String(
            name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }.prefix(64))
    }
}
