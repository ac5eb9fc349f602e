import ArgumentParser
import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowHost
import EscrowManifest
import EscrowMinimisation

/// What names a dataflow on the command line.
struct DataflowOptions: ParsableArguments {
    @Option(help: "The app.", completion: .apps) var app: String
    @Option(help: "The plugin: its id, or the last part of it.", completion: .plugins) var plugin: String
    @Option(help: "A column that the plugin may be handed, TABLE.COLUMN; may be repeated.")
    var reads: [String] = []
    @Option(help: "A column that may be used to filter, join or sort; may be repeated.")
    var uses: [String] = []
    @Option(help: "The query whose columns are meant; default: the plugin's own.") var sql: String?
    @Option(help: "Where it computes: a server that you added; default: this device.", completion: .servers)
    var server: String?

    @Option(
        help: "How the app must be known at least: claim, token, scope, flatpak, socket.",
        transform: { word in
            guard let proof = AppProof(rawValue: word) else {
                throw ValidationError("one of: claim, token, scope, flatpak, socket")
            }
            return proof
        })
    var known = AppProof.claim

    func describe(_ host: Host) throws(Diagnostic) -> DataflowDescription {
        var description = try host.dataflow(
            app: app, plugin: plugin, sql: sql, reads: reads, uses: uses, server: place)
        description.proof = known
        return description
    }

    func standing(_ host: Host) throws(Diagnostic) -> Decision {
        try host.standing(app: app, plugin: plugin, sql: sql, reads: reads, uses: uses, server: place)
    }

    private var place: String? { server == "device" ? nil : server }
}

/// For how long a decision holds.
struct ScopeOptions: ParsableArguments {
    @Flag(help: "For the next run alone.") var once = false
    @Flag(help: "For this run of the app: its host processes that run now.") var thisRun = false
    @Flag(help: "Until midnight.") var today = false
    @Option(help: "Until the end of a day, YYYY-MM-DD.") var until: String?
    @Option(name: .customLong("runs"), help: "For so many runs.") var runs: Int?

    func validate() throws {
        let chosen = [once, thisRun, today, until != nil, runs != nil].filter { $0 }.count
        guard chosen <= 1 else { throw ValidationError("a decision has one scope") }
        guard runs.map({ (1...1_000_000).contains($0) }) ?? true else {
            throw ValidationError("--runs is a number from 1 to 1000000")
        }
        guard until.map({ ConsentTime.end(ofDay: $0) != nil }) ?? true else {
            throw ValidationError("--until is a day, for example 2030-12-31")
        }
    }

    var choice: ScopeChoice {
        if once { return .once }
        if thisRun { return .session }
        if today { return .today }
        if let until, let end = ConsentTime.end(ofDay: until) { return .until(end) }
        return runs.map(ScopeChoice.uses) ?? .always
    }
}

/// What else a yes is bound to.
struct BindingOptions: ParsableArguments {
    @Option(help: "The most bits that its requests to the network may carry in a day.") var bitsPerDay: Int?
    @Option(help: "The most bytes that its requests to the network may have in a day.") var bytesPerDay: Int?
    @Flag(help: "For this very version alone, by its digest.") var pinned = false
    @Option(help: "For versions from this one on.") var fromVersion: String?
    @Option(help: "For versions below this one.") var belowVersion: String?
    @Option(
        name: .customLong("param"), help: "The value that a parameter must have, NAME=VALUE; may be repeated."
    )
    var parameters: [String] = []

    func validate() throws {
        guard bitsPerDay ?? 0 >= 0, bytesPerDay ?? 0 >= 0 else {
            throw ValidationError("a budget is a number of at least 0")
        }
        for text in [fromVersion, belowVersion].compactMap({ $0 }) where SemanticVersion(text) == nil {
            throw ValidationError("a version is MAJOR.MINOR.PATCH")
        }
    }

    /// The terms of a yes, for so long.
    func terms(_ scope: ScopeOptions) throws(Diagnostic) -> GrantTerms {
        var terms = GrantTerms(scope.choice, reason: .settings)
        if bitsPerDay != nil || bytesPerDay != nil {
            terms.budget = EgressBudget(bitsPerDay: bitsPerDay, bytesPerDay: bytesPerDay)
        }
        terms.isPinned = pinned
        terms.versions = VersionRange(
            from: fromVersion.flatMap { SemanticVersion($0) },
            below: belowVersion.flatMap { SemanticVersion($0) })
        terms.arguments = try Parameters.values(parameters)
        return terms
    }

    /// What was bound, a line each.
    func say() {
        if let bitsPerDay { Console.say("  sends at most \(bitsPerDay) bits a day") }
        if let bytesPerDay { Console.say("  sends at most \(bytesPerDay) bytes a day") }
        if pinned { Console.say("  this very version alone") }
        for parameter in parameters { Console.say("  with \(parameter)") }
    }
}

/// How much less than what is asked for is served.
struct LimitOptions: ParsableArguments {
    @Option(
        name: .customLong("record"),
        help: "A record to serve, TABLE=ID; may be repeated: all others are not there.")
    var records: [String] = []
    @Option(
        name: .customLong("where"),
        help:
            "Which records of a table to serve, \"TABLE: CONDITION\" with a condition of SQL; may be repeated."
    )
    var conditions: [String] = []
    @Option(
        name: .customLong("first"),
        help:
            "How many records of a table to serve, TABLE=N as they lie, or TABLE.COLUMN=N those with its greatest values (the newest of a date); may be repeated."
    )
    var firsts: [String] = []
    @Option(help: "A column to leave out, TABLE.COLUMN: all its values are null; may be repeated.")
    var without: [String] = []
    @Option(
        help:
            "A way to serve data more coarsely, for example \"round(Location.latitude, 1)\"; may be repeated."
    )
    var coarser: [String] = []

    func limit() throws(Diagnostic) -> GrantLimit {
        var limit = GrantLimit()
        for text in records {
            let (table, id) = try Self.split(text, "=", "--record TABLE=ID")
            limit.rows[table, default: .init()].ids = (limit.rows[table]?.ids ?? []) + [id]
        }
        for text in conditions {
            let (table, condition) = try Self.split(text, ":", "--where \"TABLE: CONDITION\"")
            let before = limit.rows[table]?.condition.map { "\($0) AND " } ?? ""
            limit.rows[table, default: .init()].condition = before + "(\(condition))"
        }
        for text in firsts {
            let (place, count) = try Self.split(text, "=", "--first TABLE=N")
            guard let (table, most) = GrantLimit.Rows.most(place, count) else {
                throw Diagnostic(
                    .emptyLimit, "how many records are served is a number from 1 to 1000000",
                    help:
                        "write --first TABLE=N, or --first TABLE.COLUMN=N for those with its greatest values")
            }
            limit.rows[table, default: .init()].first = most.first
            limit.rows[table]?.newestBy = most.newestBy
        }
        limit.coarser = try Minimisation(parsing: coarser + without.map { "drop(\($0))" })
        guard !limit.isEmpty else {
            throw Diagnostic(
                .emptyLimit,
                "a limit says what is served less: records, a condition, columns or coarser values",
                help: "for example: --where \"Contacts: familyName = 'Sample'\", or --without Contacts.note")
        }
        return limit
    }

    private static func split(
        _ text: String, _ mark: Character, _ form: String
    ) throws(Diagnostic) -> (String, String) {
        guard let place = text.firstIndex(of: mark), place != text.startIndex else {
            throw Diagnostic(
                .emptyLimit, "a table and what is served of it must be named", help: "write \(form)")
        }
        let table = text[..<place].drop { $0 == " " }
        let rest = text[text.index(after: place)...].drop { $0 == " " }
        return (String(table), String(rest))
    }
}
