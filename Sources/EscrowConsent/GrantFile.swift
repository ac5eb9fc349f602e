import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import EscrowMinimisation

/// `grants.json`: strict, versioned, replaced in one step.
enum GrantFile {
    static let maximumBytes = 8 << 20
    /// What decisions leave of that, so that their uses and what a restore notes of them always have room: a file that is full
    /// must end no run.
    static let room = 1 << 20
    static let maximumGrants = 4096
    static let maximumQuestions = 256

    /// What the file holds.
    struct Content: Sendable, Equatable {
        /// The decisions, oldest first.
        var grants: [Grant] = []
        /// What was asked lately without a decision.
        var questions: [PastQuestion] = []
        /// The change that made it, while it is not in the ledger for certain.
        var change: String?
        /// `u-` and sixteen hexadecimal digits: uses that are not in it yet name it by that.
        var generation: String?
    }

    /// A file of decisions, or of a change that is made to them.
    static func store(_ path: String) -> StoreFile {
        StoreFile(
            path, limit: maximumBytes, help: "revoke some: escrow grant list, escrow grant revoke ID")
    }

    /// A mark and sixteen hexadecimal digits that nobody had before.
    static func newName(_ mark: String) -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = String(generator.next(), radix: 16)
        return mark + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The file for this content.
    static func bytes(_ content: Content) -> [UInt8] {
        var members: [(name: String, value: JSONValue)] = [("escrow-grants", 1)]
        if let change = content.change { members.append(("change", .string(change))) }
        if let generation = content.generation { members.append(("uses", .string(generation))) }
        members.append(("grants", .array(content.grants.map(value))))
        if !content.questions.isEmpty {
            members.append(("questions", .array(content.questions.map(question))))
        }
        return JSONWriter.document(.object(members))
    }

    /// Reads a file; an unknown version, state or member is an error, since skipping it could skip a denial.
    static func read(_ bytes: [UInt8]) throws(JSONError) -> Content {
        var file = try JSONObjectReader(
            try JSONParser.parse(bytes, limits: .init(depth: 16, bytes: maximumBytes, values: 2_000_000)))
        let version = try file.required("escrow-grants")
        guard try version.requireInteger() == 1 else {
            throw JSONError(.wrongType(expected: "version 1 of this file"), at: version.position)
        }
        var content = Content()
        content.change = try file.optional("change")?.requireString()
        if let node = file.optional("uses") {
            let generation = try node.requireString()
            guard Grant.isName(generation, "u-", 16) else {
                throw JSONError(.wrongType(expected: "u- and 16 digits"), at: node.position)
            }
            content.generation = generation
        }
        for item in try file.required("grants").requireArray() { content.grants.append(try grant(item)) }
        for item in try file.optional("questions")?.requireArray() ?? [] {
            content.questions.append(try question(item))
        }
        try file.finish()
        return content
    }

    private static func value(_ grant: Grant) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("id", .string(grant.id)), ("state", .string(grant.state.rawValue)),
            ("scope", .string(scopeWord(grant))), ("reason", .string(grant.reason.rawValue)),
            ("app", .string(grant.app)), ("plugin", .string(grant.plugin)),
            ("version", .string(grant.version)),
            ("manifest", .string(grant.manifestDigest)), ("signer", .string(grant.signerKeyID)),
            ("purpose", ["code": .string(grant.purpose.code), "text": .string(grant.purpose.text)]),
            ("reads", uses(grant.reads)),
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
        return .object(members + terms(grant))
    }

    static func names(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }

    private static func grant(_ node: JSONNode) throws(JSONError) -> Grant {
        var object = try JSONObjectReader(node)
        var purpose = try JSONObjectReader(try object.required("purpose"))
        let code = try purpose.required("code").requireString()
        let text = try purpose.required("text").requireString()
        try purpose.finish()
        let state: Grant.State = try object.required("state").requireWord()
        let scopeNode = try object.required("scope")
        let reason = try reason(try object.required("reason"))
        var grant = Grant(
            id: try object.required("id").requireString(), state: state, scope: try scope(scopeNode, &object),
            reason: reason, app: try object.required("app").requireString(),
            plugin: try object.required("plugin").requireString(),
            version: try object.required("version").requireString(),
            manifestDigest: try object.required("manifest").requireString(),
            signerKeyID: try object.required("signer").requireString(),
            purpose: .init(code: code, text: text),
            reads: try uses(try object.required("reads")),
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
        try readTerms(&object, into: &grant, node, scope: scopeNode)
        try object.finish()
        return grant
    }

    static func uses(_ node: JSONNode) throws(JSONError) -> [TableUse] {
        var reads: [TableUse] = []
        for item in try node.requireArray() {
            var use = try JSONObjectReader(item)
            reads.append(
                TableUse(
                    table: try use.required("table").requireString(),
                    returned: try strings(try use.required("returned")),
                    used: try strings(try use.required("used"))))
            try use.finish()
        }
        return reads
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

    static func count(_ node: JSONNode) throws(JSONError) -> Int {
        guard let count = Int(exactly: try node.requireInteger()), count >= 0 else {
            throw JSONError(.wrongType(expected: "a number of at least 0"), at: node.position)
        }
        return count
    }

    static func coarser(_ node: JSONNode?) throws(JSONError) -> Minimisation {
        guard let node else { return .none }
        let terms = try strings(node)
        do throws(Diagnostic) {
            return try Minimisation(parsing: terms)
        } catch {
            throw JSONError(.wrongType(expected: "terms about coarser data"), at: node.position)
        }
    }

    static func strings(_ node: JSONNode) throws(JSONError) -> [String] {
        var strings: [String] = []
        for item in try node.requireArray() { strings.append(try item.requireString()) }
        return strings
    }
}
