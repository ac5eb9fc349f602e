import EscrowConsent
import EscrowDiagnostics
import EscrowJSON
import EscrowMinimisation
import EscrowTabular

/// How a dataflow that waits stands in `queue.json`.
extension WaitingQueue.Entry {
    init(_ node: JSONNode) throws(JSONError) {
        var object = try JSONObjectReader(node)
        func strings(_ node: JSONNode) throws(JSONError) -> [String] {
            var texts: [String] = []
            for item in try node.requireArray() { texts.append(try item.requireString()) }
            return texts
        }
        var request = RunRequest(
            app: try object.required("app").requireString(),
            sql: try object.optional("sql")?.requireString(),
            plugin: try object.required("plugin").requireString())
        for member in try object.required("arguments").requireMembers() {
            request.arguments[member.name] = try member.value.requireString()
        }
        for member in try object.required("bindings").requireMembers() {
            guard let cell = member.value.value.cell else {
                throw JSONError(.wrongType(expected: "a value that SQL has"), at: member.value.position)
            }
            request.bindings[member.name] = cell
        }
        // What the individual imposed must not be lost: a queue without it is not understood.
        let coarser = try object.required("coarser")
        guard let imposed = try? Minimisation(parsing: try strings(coarser)) else {
            throw JSONError(.wrongType(expected: "ways to serve data more coarsely"), at: coarser.position)
        }
        request.imposed = imposed
        request.proof = try object.optional("known")?.requireWord() ?? AppProof.claim
        request.appWords = try object.optional("says")?.requireString() ?? ""
        request.isPreview = try object.optional("preview")?.requireBool() ?? false
        self.init(
            id: try object.required("id").requireString(),
            since: try object.required("since").requireString(),
            request: request, rules: try strings(try object.required("rules")),
            missing: try strings(try object.required("missing")),
            once: try object.optional("once")?.requireString(),
            holders: try Self.holders(&object))
        try object.finish()
    }

    /// Earlier files name one at most.
    private static func holders(_ object: inout JSONObjectReader) throws(JSONError) -> [Int32] {
        var holders: [Int32] = []
        if let one = object.optional("holder") { holders.append(Int32(clamping: try one.requireInteger())) }
        for item in try object.optional("holders")?.requireArray() ?? [] {
            holders.append(Int32(clamping: try item.requireInteger()))
        }
        return holders
    }

    var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("id", .string(id)), ("since", .string(since)), ("app", .string(request.app)),
            ("plugin", .string(request.plugin)),
        ]
        if let sql = request.sql { members.append(("sql", .string(sql))) }
        members += [
            (
                "arguments",
                .object(request.arguments.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
            ),
            (
                "bindings",
                .object(request.bindings.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })
            ), ("coarser", .array(request.imposed.terms.map(JSONValue.string))),
            ("rules", .array(rules.map(JSONValue.string))),
            ("missing", .array(missing.map(JSONValue.string))),
        ]
        if request.proof != .claim { members.append(("known", .string(request.proof.rawValue))) }
        if !request.appWords.isEmpty { members.append(("says", .string(request.appWords))) }
        // Who asked to see the result first still does when it runs.
        if request.isPreview { members.append(("preview", true)) }
        if let once { members.append(("once", .string(once))) }
        if !holders.isEmpty {
            members.append(("holders", .array(holders.map { .integer(Int64($0)) })))
        }
        return .object(members)
    }
}

extension RunRequest {
    /// What makes two requests the same.
    var key: [UInt8] {
        JSONWriter.line([
            "app": .string(app), "sql": sql.map(JSONValue.string) ?? .null, "plugin": .string(plugin),
            "arguments": .object(arguments.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }),
            "bindings": .object(bindings.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }),
            "coarser": .array(imposed.terms.map(JSONValue.string)), "preview": .bool(isPreview),
            "known": .string(proof.rawValue),
        ])
    }
}

extension Cell {
    /// The value as JSON. No binding is bytes: neither an app nor a command line can give any.
    fileprivate var json: JSONValue {
        switch self {
        case .null, .blob: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let value): .string(value)
        }
    }
}
