import EscrowConsent
import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import EscrowManifest
import EscrowSchema
import EscrowSources
import EscrowTabular
import EscrowTrust

/// What an agent's calls come to, for one app id.
struct AgentDesk: Sendable {
    let host: Host
    let app: String

    /// Why a call has no result: a fixed sentence, nothing that depends on the data.
    struct Refusal: Error {
        let sentence: String
    }

    /// The tools that there are now: what is installed, and verifies, has one of its own.
    func tools() -> [AgentTool] { AgentTool.always + ((try? own()) ?? []) }

    private func own() throws(Diagnostic) -> [AgentTool] {
        let plugins = try verified()
        return plugins.map { manifest in
            let short = PluginID.shortName(manifest.id)
            let isAlone = plugins.count { PluginID.shortName($0.id) == short } == 1
            return AgentTool(
                of: manifest, name: AgentTool.name(of: manifest.id, shortName: short, isAlone: isAlone))
        }
    }

    private func verified() throws(Diagnostic) -> [Manifest] {
        let store = try host.plugins()
        let now = try host.now()
        // Bounded: every tool is read by the agent in whole.
        return try store.list().prefix(64).compactMap { try? store.check($0.id, now: now).manifest }
    }

    func call(
        _ tool: AgentTool, _ arguments: JSONValue, _ cancellation: Runner.Cancellation
    ) throws(Refusal) -> JSONValue {
        do throws(Diagnostic) {
            switch tool.act {
            case .plugins: return ["plugins": .array(try plugins())]
            case .schema: return ["tables": .array(try tables(arguments["table"]?.string))]
            case .explain: return try runner(cancellation).plan(try request(arguments)).shownToApp
            case .status:
                return [
                    "status": .string(
                        Self.word(try runner(cancellation).plan(try request(arguments)).shownState))
                ]
            case .run:
                let request = try request(arguments)
                let result = try runner(cancellation).run(request)
                return ["plugin": .string(request.plugin), "result": result.structured]
            case .runOf(let plugin):
                return try runner(cancellation).run(try request(arguments, plugin: plugin)).structured
            }
        } catch {
            throw Self.refusal(error, cancellation)
        }
    }

    private static func refusal(_ error: Diagnostic, _ cancellation: Runner.Cancellation) -> Refusal {
        let code = error.code.shown(hasReadData: cancellation.hasReadData)
        var sentence = "\(code.rawValue): \(code.exitStatus.appSentence)."
        if code.exitStatus == .undecided {
            sentence +=
                " They are asked on their own page or terminal, and nothing that is written here can answer for them. Ask again later."
        }
        return Refusal(sentence: sentence)
    }

    private func runner(_ cancellation: Runner.Cancellation) -> Runner {
        Runner(host: host, cancellation: cancellation)
    }

    private func request(_ arguments: JSONValue, plugin: String? = nil) throws(Diagnostic) -> RunRequest {
        guard let plugin = plugin ?? arguments["plugin"]?.string else { throw Self.unfit }
        var request = RunRequest(app: app, sql: arguments["sql"]?.string, plugin: plugin)
        for (name, value) in arguments["parameters"]?.members ?? [] {
            switch value {
            case .string(let text):
                request.bindings[name] = .text(text)
                request.arguments[name] = text
            case .integer(let number):
                request.bindings[name] = .integer(number)
                request.arguments[name] = "\(number)"
            case .real(let number):
                request.bindings[name] = .real(number)
                request.arguments[name] = "\(number)"
            case .bool(let truth):
                request.bindings[name] = .integer(truth ? 1 : 0)
                request.arguments[name] = truth ? "true" : "false"
            case .null, .array, .object: throw Self.unfit
            }
        }
        return request
    }

    private static let unfit = Diagnostic(.agentNotUnderstood, "the call does not fit the tool's schema")

    private static func word(_ state: ConsentState) -> String {
        switch state {
        case .authorized, .limited: "authorized"
        case .denied: "denied"
        case .restricted: "restricted"
        case .notDetermined: "notDetermined"
        }
    }

    private func plugins() throws(Diagnostic) -> [JSONValue] {
        let tools = try own()
        return zip(try verified(), tools).map { manifest, tool in
            [
                "id": .string(manifest.id), "version": .string(manifest.version.description),
                "tool": .string(tool.name), "title": .string(PlainText.neutral(manifest.title)),
                "purpose": .string(PlainText.neutral(manifest.purpose.text)),
                "reads": .array(
                    manifest.accepts.reads.map {
                        ["table": .string($0.table), "columns": .array($0.columns.map(JSONValue.string))]
                    }),
                "columns": .array(manifest.accepts.columns.map { .string($0.name) }),
                "parameters": .array(manifest.parameters.parameters.map { .string($0.name) }),
                "returns": .string(PlainText.neutral(manifest.result.sentence, longest: 600)),
                "sends": .array(
                    manifest.egress.map { .string(PlainText.neutral($0.sentence, longest: 4000)) }),
                "resultSchema": manifest.result.jsonSchema,
            ]
        }
    }

    private func tables(_ name: String?) throws(Diagnostic) -> [JSONValue] {
        let specs = SourceRegistry.allSpecs
        guard let name else {
            return specs.map { ["name": .string($0.name), "summary": .string($0.summary)] }
        }
        guard let spec = specs.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw Self.unfit
        }
        return [
            [
                "name": .string(spec.name), "summary": .string(spec.summary),
                "columns": .array(
                    spec.columns.map {
                        [
                            "name": .string($0.name), "type": .string($0.type.rawValue),
                            "nullable": .bool($0.isNullable), "summary": .string($0.summary),
                        ]
                    }), "examples": .array(spec.examples.map(JSONValue.string)),
            ]
        ]
    }
}
