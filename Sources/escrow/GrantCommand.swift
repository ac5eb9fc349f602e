import ArgumentParser
import EscrowConsent
import EscrowConsole
import EscrowHost

struct GrantCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant", abstract: "Decide about dataflows, see what you decided, and change it.",
        subcommands: [
            List.self, Show.self, Status.self, Allow.self, Deny.self, Limit.self, Revoke.self, Reset.self,
            Export.self, Import.self,
        ])

    struct Allow: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "allow",
            abstract: "Allow a dataflow, until you revoke it or for as long as you say.")
        @OptionGroup var dataflow: DataflowOptions
        @OptionGroup var scope: ScopeOptions
        @OptionGroup var binding: BindingOptions
        @OptionGroup var home: HomeOptions

        func run() throws {
            let host = try home.open()
            let description = try dataflow.describe(host)
            let grant = try host.allow(description, try binding.terms(scope))
            description.explain(width: Console.sheetWidth).forEach(Console.explain)
            binding.say()
            Console.say("allowed, \(grant.duration)")
        }
    }

    struct Deny: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "deny",
            abstract: "Deny a dataflow, until you revoke the denial or for as long as you say.")
        @OptionGroup var dataflow: DataflowOptions
        @OptionGroup var scope: ScopeOptions
        @Flag(help: "Do not let the app notice: it is given what it would be given of no data at all.")
        var asEmpty = false
        @OptionGroup var home: HomeOptions

        func run() throws {
            let host = try home.open()
            let description = try dataflow.describe(host)
            var terms = GrantTerms(scope.choice, reason: .settings)
            terms.looksEmpty = asEmpty
            let grant = try host.deny(description, terms)
            description.explain(width: Console.sheetWidth).forEach(Console.explain)
            if asEmpty { Console.say("  the plugin runs over no data, and the app is given its result") }
            Console.say("denied, \(grant.duration)")
        }
    }

    struct Limit: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "limit",
            abstract: "Allow less than a dataflow asks for: chosen records, fewer columns, coarser values.",
            discussion: """
                What you hold back does not exist for the query, not even for its counts and joins. The app is told that \
                the dataflow is allowed, and sees a smaller answer.
                """)
        @OptionGroup var dataflow: DataflowOptions
        @OptionGroup var limits: LimitOptions
        @OptionGroup var scope: ScopeOptions
        @OptionGroup var binding: BindingOptions
        @OptionGroup var home: HomeOptions

        func run() throws {
            let limit = try limits.limit()
            let host = try home.open()
            let description = try dataflow.describe(host)
            try host.check(limit, for: description)
            var terms = try binding.terms(scope)
            terms.limit = limit
            let grant = try host.allow(description, terms)
            description.explain(width: Console.sheetWidth).forEach(Console.explain)
            for phrase in limit.phrases { Console.say("  only \(phrase)") }
            binding.say()
            Console.say("limited, \(grant.duration)")
        }
    }
}

extension Grant {
    /// How long it holds, and how to end that.
    var duration: String {
        let until =
            scope == .always ? "until you take it back" : "\(scope.words()), or until you take it back"
        return "\(until): escrow grant revoke \(id)"
    }
}
