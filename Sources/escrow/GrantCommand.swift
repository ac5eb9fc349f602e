import ArgumentParser
import EscrowConsent
import EscrowDiagnostics
import EscrowHost
import EscrowJSON

struct GrantCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant", abstract: "Decide about dataflows, see what you decided, and take it back.",
        subcommands: [List.self, Allow.self, Deny.self, Revoke.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List your decisions.")
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let grants = try home.open().grants.list()
            if format.isJSON {
                Console.data(["grants": .array(grants.map(\.json))])
            } else if grants.isEmpty {
                Console.say("you have decided nothing yet; escrow run asks on a terminal")
            } else {
                Console.table(
                    ["id", "state", "app", "plugin", "reads", "decided", "last used", "uses"],
                    grants.map {
                        [
                            $0.id, $0.state.rawValue, $0.app, "\($0.plugin) \($0.version)", $0.readsText,
                            $0.createdAt,
                            $0.lastUsedAt ?? "never", String($0.useCount),
                        ]
                    })
            }
        }
    }

    /// What names a dataflow on the command line.
    struct Dataflow: ParsableArguments {
        @Option(help: "The app.") var app: String
        @Option(help: "The plugin: its id, or the last part of it.") var plugin: String
        @Option(help: "A column that the plugin may be handed, TABLE.COLUMN; may be repeated.") var reads:
            [String] = []
        @Option(help: "A column that may be used to filter, join or sort; may be repeated.") var uses:
            [String] = []
        @Option(help: "The query whose columns are meant; default: the plugin's own.") var sql: String?

        func describe(_ host: Host) throws(Diagnostic) -> DataflowDescription {
            try host.dataflow(app: app, plugin: plugin, sql: sql, reads: reads, uses: uses)
        }
    }

    struct Allow: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Allow a dataflow until you revoke it.")
        @OptionGroup var dataflow: Dataflow
        @Option(help: "The most bits that its requests to the network may carry in a day.") var bitsPerDay:
            Int?
        @Option(help: "The most bytes that its requests to the network may have in a day.") var bytesPerDay:
            Int?
        @OptionGroup var home: HomeOptions

        func validate() throws {
            guard bitsPerDay ?? 0 >= 0, bytesPerDay ?? 0 >= 0 else {
                throw ValidationError("a budget is a number of at least 0")
            }
        }

        func run() throws {
            let host = try home.open()
            let description = try dataflow.describe(host)
            let isLimited = bitsPerDay != nil || bytesPerDay != nil
            let budget = isLimited ? EgressBudget(bitsPerDay: bitsPerDay, bytesPerDay: bytesPerDay) : nil
            let grant = try host.allow(description, budget: budget)
            description.explain().forEach(Console.say)
            if let bitsPerDay { Console.say("  sends at most \(bitsPerDay) bits a day") }
            if let bytesPerDay { Console.say("  sends at most \(bytesPerDay) bytes a day") }
            Console.say("allowed, until you take it back: escrow grant revoke \(grant.id)")
        }
    }

    struct Deny: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deny a dataflow until you revoke the denial.")
        @OptionGroup var dataflow: Dataflow
        @OptionGroup var home: HomeOptions

        func run() throws {
            let host = try home.open()
            let description = try dataflow.describe(host)
            let grant = try host.deny(description)
            description.explain().forEach(Console.say)
            Console.say("denied, until you take it back: escrow grant revoke \(grant.id)")
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a decision back: its dataflow is undecided again, from the next run on.")
        @Argument(help: "The decision's id.") var id: String
        @OptionGroup var home: HomeOptions

        func run() throws {
            let grant = try home.open().revokeGrant(id)
            Console.say("taken back: \(grant.state.rawValue) for \(grant.app) and \(grant.plugin)")
        }
    }
}

extension Grant {
    fileprivate var readsText: String {
        reads.map { "\($0.table)(\(($0.returned + $0.used).joined(separator: " ")))" }.joined(separator: " ")
    }

    /// The decision for `--format json`.
    fileprivate var json: JSONValue {
        [
            "id": .string(id), "state": .string(state.rawValue), "scope": .string(scope.rawValue),
            "reason": .string(reason.rawValue), "app": .string(app), "plugin": .string(plugin),
            "version": .string(version), "manifest": .string(manifestDigest),
            "purpose": .string(purpose.code), "egress": .array(egress.map(JSONValue.string)),
            "budget": budget.map {
                [
                    "bitsPerDay": $0.bitsPerDay.map { .integer(Int64($0)) } ?? .null,
                    "bytesPerDay": $0.bytesPerDay.map { .integer(Int64($0)) } ?? .null,
                ]
            } ?? .null,
            "reads": .array(
                reads.map {
                    [
                        "table": .string($0.table), "returned": .array($0.returned.map(JSONValue.string)),
                        "used": .array($0.used.map(JSONValue.string)),
                    ]
                }),
            "target": .string(target), "place": .string(place), "createdAt": .string(createdAt),
            "lastUsedAt": lastUsedAt.map(JSONValue.string) ?? .null, "useCount": .integer(Int64(useCount)),
        ]
    }
}
