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

    /// Why a call has no result.
    enum Refusal: Error {
        /// No plugin's tool has that name.
        case noSuchTool
        /// A fixed sentence, nothing that depends on the data.
        case failed(String)
    }

    /// The tools that there are now: what is installed, and verifies, has one of its own.
    func tools() -> [AgentTool] { AgentTool.always + ((try? own()) ?? []).map(\.tool) }

    private func own() throws(Diagnostic) -> [(manifest: Manifest, tool: AgentTool)] {
        let store = try host.plugins()
        let now = try host.now()
        let ids = try store.list().map(\.id)
        // Bounded: every tool is read by the agent in whole.
        return ids.prefix(64).compactMap { id in
            guard let manifest = try? store.check(id, now: now).manifest else { return nil }
            let tool = AgentTool(of: manifest)
            return AgentTool.plugin(named: tool.name, among: ids) == id ? (manifest, tool) : nil
        }
    }

    func call(_ call: AgentCall, _ cancellation: Runner.Cancellation) throws(Refusal) -> JSONValue {
        let request = call.request(app: app, plugin: try plugin(of: call))
        let runner = Runner(host: host, cancellation: cancellation)
        do throws(Diagnostic) {
            switch call.act {
            case .plugins: return ["plugins": .array(try plugins())]
            case .schema: return ["tables": .array(try tables(call.table))]
            case .explain: return try runner.plan(request).shownToApp
            case .status: return ["status": .string(Self.word(try runner.plan(request).decision.shownState))]
            case .run:
                return [
                    "plugin": .string(request.plugin), "result": try runner.run(request).structured,
                ]
            case .runOf: return try runner.run(request).structured
            }
        } catch {
            throw Self.refusal(error, cancellation)
        }
    }

    /// Verified is none here: the run verifies the one that it starts.
    private func plugin(of call: AgentCall) throws(Refusal) -> String {
        guard case .runOf(let name) = call.act else { return call.plugin ?? "" }
        let installed = (try? host.plugins().list()) ?? []
        guard let id = AgentTool.plugin(named: name, among: installed.map(\.id)) else { throw .noSuchTool }
        return id
    }

    private static func refusal(_ error: Diagnostic, _ cancellation: Runner.Cancellation) -> Refusal {
        let code = error.code.shown(hasReadData: cancellation.hasReadData)
        var sentence = "\(code.rawValue): \(code.exitStatus.appSentence)."
        if code.exitStatus == .undecided {
            sentence +=
                " They are asked on their own page or terminal, and nothing that is written here can answer for them. Ask again later."
        }
        return .failed(sentence)
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
        try own().map { manifest, tool in
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
