import ArgumentParser
import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import Glibc

struct QueueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "Dataflows that are decided and wait for what the device must have.",
        subcommands: [List.self, Run.self, Drop.self])

    struct List: Paged {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List what waits, and for what.")
        @Flag(help: "Print what they can be called, and nothing else.") var names = false
        @OptionGroup var paging: PagingOptions
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let entries = try home.open().queue.list()
            guard !names else { return Console.names(entries.map(\.id)) }
            format.list(
                entries, as: "waiting", none: "nothing waits",
                ["id", "since", "app", "plugin", "waits for", "rules", "held by its app"]
            ) {
                [
                    $0.id, $0.since, $0.request.app, $0.request.plugin,
                    $0.missing.joined(separator: ", "), $0.rules.joined(separator: ", "),
                    $0.isHeld ? "yes" : "no",
                ]
            } json: {
                [
                    "id": .string($0.id), "since": .string($0.since),
                    "app": .string($0.request.app), "plugin": .string($0.request.plugin),
                    "rules": .array($0.rules.map(JSONValue.string)),
                    "missing": .array($0.missing.map(JSONValue.string)), "held": .bool($0.isHeld),
                ]
            }
        }
    }

    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Run what waits, if the device has now what it must have, and print the results.",
            discussion: """
                Without an id all are run that can be, the oldest first. Every rule and every decision is looked at anew. \
                What an app holds open is the app's, and is left alone.
                """)
        @Argument(help: "The id of one.", completion: .waiting) var id: String?
        @Flag(help: "Wait until the device has what it must have.") var wait = false
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let host = try home.open()
            var entries = try host.queue.list()
            if let id { entries = [try host.queue.entry(id)] }
            entries.removeAll(where: \.isHeld)
            if entries.isEmpty { Console.say("nothing waits that could be run here") }
            var last: Diagnostic?
            for entry in entries {
                let cancellation = Runner.Cancellation()
                Interruption.withdraws(cancellation)
                defer { Interruption.finish() }
                Console.say("\(entry.id): \(entry.request.plugin) for \(entry.request.app)")
                do throws(Diagnostic) {
                    let result = try Runner(
                        host: host, decider: TerminalDecider(host: host, spinner: nil), observer: Teller(),
                        cancellation: cancellation, patience: wait ? .stay : .queue
                    ).run(entry.request)
                    do { try RunCommand.show(result, isJSON: format.isJSON) } catch { throw Self.unshown }
                } catch {
                    Console.report(error)
                    // What still waits stays; what is refused now has no business in the queue.
                    if error.exitStatus != .waiting { try host.queue.take(entry.id) }
                    last = error
                }
            }
            if let last { throw ExitCode(last.exitStatus.rawValue) }
        }

        private static let unshown = Diagnostic(.ownFault, "the result could not be shown")
    }

    struct Drop: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "drop", abstract: "Let go of what waits: it is not run.")
        @Argument(help: "The id.", completion: .waiting) var id: String?
        @Flag(help: "Let go of all that waits, also where it cannot be read.") var all = false
        @OptionGroup var home: HomeOptions

        func validate() throws {
            guard (id == nil) == all else { throw ValidationError("name one id, or --all") }
        }

        func run() throws {
            let queue = try home.open().queue
            guard let id else {
                let count = try queue.dropAll()
                Console.say("let go: \(count.map(String.init) ?? "all") that waited")
                return
            }
            let entry = try queue.entry(id)
            try queue.drop(entry.id)
            Console.say("let go: \(entry.request.plugin) for \(entry.request.app)")
        }
    }

    /// Says what allows each run and what it warns of: its question may be days old.
    private struct Teller: RunObserver {
        var columns: Int { Console.sheetWidth }
        func explain(_ lines: [String]) { lines.forEach(Console.explain) }
        func begins(_ allowed: String?) {
            if let allowed { Console.say(PlainText.neutral(allowed, longest: 1000)) }
        }
        func progress(_ fraction: Double) {}
        func log(_ bytes: [UInt8]) {}
    }
}
