import EscrowDiagnostics
import EscrowJSON
import EscrowManifest
import EscrowMinimisation

/// The members of a decision that say for how long, for which versions, and how much less.
extension GrantFile {
    static func terms(_ grant: Grant) -> [(name: String, value: JSONValue)] {
        var members: [(name: String, value: JSONValue)] = []
        switch grant.scope {
        case .once, .always: break
        case .session(let time), .today(let time), .until(let time):
            members.append(("until", .string(time.precise)))
        case .uses(let count): members.append(("uses", .integer(Int64(count))))
        }
        if grant.isPinned { members.append(("pinned", true)) }
        if let from = grant.versions.from { members.append(("fromVersion", .string(from.description))) }
        if let below = grant.versions.below { members.append(("belowVersion", .string(below.description))) }
        if let budget = grant.budget {
            let limits = [("bitsPerDay", budget.bitsPerDay), ("bytesPerDay", budget.bytesPerDay)]
            let set = limits.compactMap { name, value in value.map { (name, JSONValue.integer(Int64($0))) } }
            members.append(("budget", .object(set)))
        }
        if let limit = grant.limit { members.append(("limit", value(limit))) }
        if let restoredAt = grant.restoredAt { members.append(("restoredAt", .string(restoredAt))) }
        if grant.looksEmpty { members.append(("looksEmpty", true)) }
        return members
    }

    private static func value(_ limit: GrantLimit) -> JSONValue {
        [
            "rows": .object(
                limit.rows.sorted { $0.key < $1.key }.map { table, rows in
                    var members: [(name: String, value: JSONValue)] = []
                    if let ids = rows.ids { members.append(("ids", names(ids))) }
                    if let condition = rows.condition { members.append(("condition", .string(condition))) }
                    if let first = rows.first { members.append(("first", .integer(Int64(first)))) }
                    if let column = rows.newestBy { members.append(("newestBy", .string(column))) }
                    return (table, .object(members))
                }), "coarser": names(limit.coarser.terms),
        ]
    }

    static func question(_ question: PastQuestion) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("app", .string(question.app)), ("plugin", .string(question.plugin)),
            ("target", .string(question.target)), ("reads", .array(question.reads.map(\.json))),
            ("at", .string(question.at.precise)), ("outcome", .string(question.outcome.rawValue)),
        ]
        // Left out of a claim's, as in a dataflow.
        if question.proof != .claim { members.append(("known", .string(question.proof.rawValue))) }
        return .object(members)
    }

    /// What is denied for good is spelled `never`, so that a yes is never read from a no.
    static func scopeWord(_ grant: Grant) -> String {
        grant.state == .denied && grant.scope == .always ? "never" : grant.scope.word
    }

    // MARK: Reading

    static func scope(_ node: JSONNode, _ object: inout JSONObjectReader) throws(JSONError) -> GrantScope {
        switch try node.requireString() {
        case "once": return .once
        case "always", "never": return .always
        case "session": return .session(try time(try object.required("until")))
        case "today": return .today(try time(try object.required("until")))
        case "until": return .until(try time(try object.required("until")))
        case "uses": return .uses(try count(try object.required("uses")))
        default:
            throw JSONError(
                .wrongType(expected: "once, session, today, until, uses or always"), at: node.position)
        }
    }

    /// Why a decision was made; `command` is how earlier files spell `settings`.
    static func reason(_ node: JSONNode) throws(JSONError) -> ConsentReason {
        switch try node.requireString() {
        case "prompt": return .prompt
        case "settings", "command": return .settings
        default: throw JSONError(.wrongType(expected: "prompt or settings"), at: node.position)
        }
    }

    /// Reads the rest, and refuses what contradicts itself: a yes is never read from a no, nor a whole from a part.
    static func readTerms(
        _ object: inout JSONObjectReader, into grant: inout Grant, _ node: JSONNode, scope: JSONNode
    ) throws(JSONError) {
        let word = try scope.requireString()
        guard (word == "never") == (grant.state == .denied && grant.scope == .always) else {
            throw JSONError(.wrongType(expected: "a scope that fits the state"), at: scope.position)
        }
        grant.isPinned = try object.optional("pinned")?.requireBool() ?? false
        grant.versions.from = try version(object.optional("fromVersion"))
        grant.versions.below = try version(object.optional("belowVersion"))
        grant.budget = try budget(object.optional("budget"))
        grant.lastUsedAt = try object.optional("lastUsedAt")?.requireString()
        grant.useCount = Int(clamping: try object.required("useCount").requireInteger())
        grant.limit = try object.optional("limit").map { (node) throws(JSONError) in try limit(node) }
        grant.restoredAt = try object.optional("restoredAt")?.requireString()
        grant.looksEmpty = try object.optional("looksEmpty")?.requireBool() ?? false
        guard (grant.state == .limited) == (grant.limit != nil), !grant.looksEmpty || grant.state == .denied
        else {
            throw JSONError(.wrongType(expected: "a limit where the state is limited"), at: node.position)
        }
    }

    private static func limit(_ node: JSONNode) throws(JSONError) -> GrantLimit {
        var object = try JSONObjectReader(node)
        var limit = GrantLimit()
        for member in try object.required("rows").requireMembers() {
            var rows = try JSONObjectReader(member.value)
            limit.rows[member.name] = GrantLimit.Rows(
                ids: try rows.optional("ids").map { (node) throws(JSONError) in try strings(node) },
                condition: try rows.optional("condition")?.requireString(),
                first: try rows.optional("first").map { (node) throws(JSONError) in
                    let first = try count(node)
                    guard GrantLimit.Rows.firstRange.contains(first) else {
                        throw JSONError(.wrongType(expected: "a number of records"), at: node.position)
                    }
                    return first
                }, newestBy: try rows.optional("newestBy")?.requireString())
            guard limit.rows[member.name]?.newestBy == nil || limit.rows[member.name]?.first != nil else {
                throw JSONError(.wrongType(expected: "a number of records"), at: member.value.position)
            }
            try rows.finish()
        }
        limit.coarser = try coarser(try object.required("coarser"))
        try object.finish()
        return limit
    }

    static func question(_ node: JSONNode) throws(JSONError) -> PastQuestion {
        var object = try JSONObjectReader(node)
        let question = PastQuestion(
            app: try object.required("app").requireString(),
            proof: try object.optional("known")?.requireWord() ?? AppProof.claim,
            plugin: try object.required("plugin").requireString(),
            target: try object.required("target").requireString(),
            reads: try uses(try object.required("reads")), at: try time(try object.required("at")),
            outcome: try object.required("outcome").requireWord())
        try object.finish()
        return question
    }

    private static func time(_ node: JSONNode) throws(JSONError) -> ConsentTime {
        guard let time = ConsentTime(try node.requireString()) else {
            throw JSONError(.wrongType(expected: "a moment in UTC"), at: node.position)
        }
        return time
    }

    private static func version(_ node: JSONNode?) throws(JSONError) -> SemanticVersion? {
        guard let node else { return nil }
        guard let version = SemanticVersion(try node.requireString()) else {
            throw JSONError(.wrongType(expected: "a version"), at: node.position)
        }
        return version
    }
}
