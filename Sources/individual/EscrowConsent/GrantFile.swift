import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import EscrowManifest
import EscrowMinimisation

/// `grants.json`: strict, versioned, replaced in one step.
enum GrantFile {
    /// What is written. Files of version 1 are read as well, and are of this version from their next change on.
    static let version: Int64 = 2
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
        /// What the last change of decisions did, so that it can be undone; nil where it was none that can.
        var undo: GrantUndo?
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
        var members: [(name: String, value: JSONValue)] = [("escrow-grants", .integer(version))]
        if let change = content.change { members.append(("change", .string(change))) }
        if let generation = content.generation { members.append(("uses", .string(generation))) }
        members.append(("grants", .array(content.grants.map(value))))
        if !content.questions.isEmpty {
            members.append(("questions", .array(content.questions.map(question))))
        }
        if let undo = content.undo {
            members.append(
                ("undo", ["made": .string(undo.made), "replaced": .array(undo.replaced.map(value))]))
        }
        return JSONWriter.document(.object(members))
    }

    /// Reads a file; an unknown version, state or member is an error, since skipping it could skip a denial.
    static func read(_ bytes: [UInt8]) throws(JSONError) -> Content {
        var file = try JSONObjectReader(
            try JSONParser.parse(bytes, limits: .init(depth: 16, bytes: maximumBytes, values: 2_000_000)))
        let node = try file.required("escrow-grants")
        let found = try node.requireInteger()
        guard (1...version).contains(found) else {
            throw JSONError(.wrongType(expected: "version \(version) of this file"), at: node.position)
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
        for item in try file.required("grants").requireArray() {
            content.grants.append(try found == 1 ? grantOfVersion1(item) : grant(item))
        }
        for item in try file.optional("questions")?.requireArray() ?? [] {
            content.questions.append(try question(item))
        }
        if let node = file.optional("undo") { content.undo = try undo(node, content.grants) }
        try file.finish()
        return content
    }

    /// A name that no decision has could undo another one later.
    private static func undo(_ node: JSONNode, _ grants: [Grant]) throws(JSONError) -> GrantUndo {
        var object = try JSONObjectReader(node)
        let made = try object.required("made").requireString()
        var replaced: [Grant] = []
        for item in try object.required("replaced").requireArray() { replaced.append(try grant(item)) }
        try object.finish()
        let ids = Set(grants.map(\.id))
        guard ids.contains(made), !replaced.contains(where: { ids.contains($0.id) }) else {
            throw JSONError(
                .wrongType(expected: "the last decision, and what it replaced"), at: node.position)
        }
        return GrantUndo(made: made, replaced: replaced)
    }

    private static func value(_ grant: Grant) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("id", .string(grant.id)), ("state", .string(grant.state.rawValue)),
            ("scope", .string(scopeWord(grant))), ("reason", .string(grant.reason.rawValue)),
            ("dataflow", grant.dataflow.json), ("createdAt", .string(grant.createdAt)),
        ]
        if let lastUsedAt = grant.lastUsedAt { members.append(("lastUsedAt", .string(lastUsedAt))) }
        members.append(("useCount", .integer(Int64(grant.useCount))))
        return .object(members + terms(grant))
    }

    private static func grant(_ node: JSONNode) throws(JSONError) -> Grant {
        var object = try JSONObjectReader(node)
        let state: Grant.State = try object.required("state").requireWord()
        let scopeNode = try object.required("scope")
        var grant = Grant(
            id: try object.required("id").requireString(), state: state, scope: try scope(scopeNode, &object),
            reason: try reason(try object.required("reason")),
            try Dataflow(try object.required("dataflow")),
            createdAt: try object.required("createdAt").requireString())
        try readTerms(&object, into: &grant, node, scope: scopeNode)
        try object.finish()
        return grant
    }
}

/// What several members are read by.
extension GrantFile {
    static func names(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }

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

    static func budget(_ node: JSONNode?) throws(JSONError) -> EgressBudget? {
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

    static func texts(_ node: JSONNode?) throws(JSONError) -> [String: String] {
        var texts: [String: String] = [:]
        for member in try node?.requireMembers() ?? [] {
            texts[member.name] = try member.value.requireString()
        }
        return texts
    }

    static func reach(_ node: JSONNode) throws(JSONError) -> Reach {
        do throws(Diagnostic) { return try Reach(node, file: "") } catch {
            throw JSONError(.wrongType(expected: "what a plugin sends and is told"), at: node.position)
        }
    }
}
