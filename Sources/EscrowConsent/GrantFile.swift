import EscrowDiagnostics
import EscrowJSON
import EscrowMinimisation

/// `grants.json`: strict, versioned, replaced in one step.
enum GrantFile {
    static let maximumBytes = 8 << 20
    static let maximumGrants = 4096

    /// The file for these grants.
    static func bytes(_ grants: [Grant]) -> [UInt8] {
        JSONWriter.document(["escrow-grants": 1, "grants": .array(grants.map(value))])
    }

    /// Reads a file; an unknown version, state or member is an error, since skipping it could skip a denial.
    static func read(_ bytes: [UInt8]) throws(JSONError) -> [Grant] {
        var file = try JSONObjectReader(
            try JSONParser.parse(bytes, limits: .init(depth: 8, bytes: maximumBytes, values: 2_000_000)))
        let version = try file.required("escrow-grants")
        guard try version.requireInteger() == 1 else {
            throw JSONError(.wrongType(expected: "version 1 of this file"), at: version.position)
        }
        let items = try file.required("grants").requireArray()
        try file.finish()
        var grants: [Grant] = []
        for item in items { grants.append(try grant(item)) }
        return grants
    }

    private static func value(_ grant: Grant) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("id", .string(grant.id)), ("state", .string(grant.state.rawValue)),
            ("scope", .string(grant.scope.rawValue)), ("reason", .string(grant.reason.rawValue)),
            ("app", .string(grant.app)), ("plugin", .string(grant.plugin)),
            ("version", .string(grant.version)),
            ("manifest", .string(grant.manifestDigest)), ("signer", .string(grant.signerKeyID)),
            ("purpose", ["code": .string(grant.purpose.code), "text": .string(grant.purpose.text)]),
            (
                "reads",
                .array(
                    grant.reads.map {
                        ["table": .string($0.table), "returned": names($0.returned), "used": names($0.used)]
                    })
            ),
            ("coarser", names(grant.minimisation.terms)), ("identifiers", names(grant.identifiers)),
            ("resultSchema", .string(grant.resultDigest)),
            ("egress", names(grant.egress)),
            ("target", .string(grant.target)), ("place", .string(grant.place)),
            ("minimumRows", .integer(Int64(grant.minimumRows))), ("script", .bool(grant.isScript)),
            ("createdAt", .string(grant.createdAt)),
        ]
        if let budget = grant.budget {
            members.append(
                (
                    "budget",
                    .object(
                        [("bitsPerDay", budget.bitsPerDay), ("bytesPerDay", budget.bytesPerDay)]
                            .compactMap { name, value in value.map { (name, .integer(Int64($0))) } })
                ))
        }
        if let lastUsedAt = grant.lastUsedAt { members.append(("lastUsedAt", .string(lastUsedAt))) }
        members.append(("useCount", .integer(Int64(grant.useCount))))
        return .object(members)
    }

    private static func names(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }

    private static func grant(_ node: JSONNode) throws(JSONError) -> Grant {
        var object = try JSONObjectReader(node)
        var purpose = try JSONObjectReader(try object.required("purpose"))
        let code = try purpose.required("code").requireString()
        let text = try purpose.required("text").requireString()
        try purpose.finish()
        var reads: [TableUse] = []
        for item in try object.required("reads").requireArray() {
            var use = try JSONObjectReader(item)
            reads.append(
                TableUse(
                    table: try use.required("table").requireString(),
                    returned: try strings(try use.required("returned")),
                    used: try strings(try use.required("used"))))
            try use.finish()
        }
        let state: Grant.State = try word(try object.required("state"))
        let scope: Grant.Scope = try word(try object.required("scope"))
        // What is stored lasts, and a yes is never read from a no.
        guard scope == (state == .authorized ? .always : .never) else {
            throw JSONError(.wrongType(expected: "a scope that fits the state"), at: node.position)
        }
        let grant = Grant(
            id: try object.required("id").requireString(), state: state, scope: scope,
            reason: try word(try object.required("reason")), app: try object.required("app").requireString(),
            plugin: try object.required("plugin").requireString(),
            version: try object.required("version").requireString(),
            manifestDigest: try object.required("manifest").requireString(),
            signerKeyID: try object.required("signer").requireString(),
            purpose: .init(code: code, text: text),
            reads: reads,
            // A file that does not tell is from a time when all was served as it is.
            minimisation: try coarser(object.optional("coarser")),
            identifiers: try object.optional("identifiers").map { node throws(JSONError) in
                try strings(node)
            } ?? [],
            resultDigest: try object.required("resultSchema").requireString(),
            egress: try strings(try object.required("egress")), budget: try budget(object.optional("budget")),
            target: try object.required("target").requireString(),
            place: try object.required("place").requireString(),
            // Earlier files do not tell: such a grant covers nothing that could be less strict, and is asked for anew.
            minimumRows: Int(clamping: try object.optional("minimumRows")?.requireInteger() ?? .max),
            isScript: try object.optional("script")?.requireBool() ?? false,
            createdAt: try object.required("createdAt").requireString(),
            lastUsedAt: try object.optional("lastUsedAt")?.requireString(),
            useCount: Int(clamping: try object.required("useCount").requireInteger()))
        try object.finish()
        return grant
    }

    private static func budget(_ node: JSONNode?) throws(JSONError) -> EgressBudget? {
        guard let node else { return nil }
        var object = try JSONObjectReader(node)
        var budget = EgressBudget()
        if let item = object.optional("bitsPerDay") { budget.bitsPerDay = try count(item) }
        if let item = object.optional("bytesPerDay") { budget.bytesPerDay = try count(item) }
        try object.finish()
        return budget
    }

    private static func count(_ node: JSONNode) throws(JSONError) -> Int {
        guard let count = Int(exactly: try node.requireInteger()), count >= 0 else {
            throw JSONError(.wrongType(expected: "a number of at least 0"), at: node.position)
        }
        return count
    }

    private static func coarser(_ node: JSONNode?) throws(JSONError) -> Minimisation {
        guard let node else { return .none }
        let terms = try strings(node)
        do throws(Diagnostic) {
            return try Minimisation(parsing: terms)
        } catch {
            throw JSONError(.wrongType(expected: "terms about coarser data"), at: node.position)
        }
    }

    private static func strings(_ node: JSONNode) throws(JSONError) -> [String] {
        var strings: [String] = []
        for item in try node.requireArray() { strings.append(try item.requireString()) }
        return strings
    }

    private static func word<Word: RawRepresentable & CaseIterable>(
        _ node: JSONNode
    ) throws(JSONError) -> Word where Word.RawValue == String {
        guard let word = Word(rawValue: try node.requireString()) else {
            throw JSONError(
                .wrongType(expected: "one of " + Word.allCases.map(\.rawValue).joined(separator: ", ")),
                at: node.position)
        }
        return word
    }
}
