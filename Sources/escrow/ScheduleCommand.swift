import ArgumentParser
import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowHome
import EscrowHost
import EscrowJSON
import Glibc

struct ScheduleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule", abstract: "What runs by itself, and how often.",
        discussion: """
            The service makes these runs while it is there (escrow serve). Each is made under a decision that stands: where \
            there is none, nothing runs. What a run returns is dropped; it is for what it sends and does. Nothing runs by \
            itself when you were not here for a month.
            """,
        subcommands: [Add.self, List.self, Remove.self, Due.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Have a plugin run by itself for an app.")
        @Argument(help: "The plugin.", completion: .plugins) var plugin: String
        @Option(help: "The app that it runs for.", completion: .apps) var app: String
        @Option(help: "How often: hour, day or week.") var every: String
        @Flag(help: "Only while there is external power.") var onCharge = false
        @Option(name: .customLong("param"), help: "A parameter, NAME=VALUE.") var parameters: [String] = []
        @OptionGroup var home: HomeOptions

        func run() throws {
            guard let every = PeriodicRun.Every(rawValue: every) else {
                throw ValidationError("--every is hour, day or week")
            }
            var arguments: [String: String] = [:]
            for text in parameters {
                guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                    throw ValidationError("a parameter is NAME=VALUE")
                }
                arguments[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            let host = try home.open()
            // The run as it will be: a plugin, app or parameter that cannot be is told now, not in an hour.
            let request = RunRequest(app: app, plugin: plugin, arguments: arguments)
            let plan = try Runner(host: host).plan(request)
            let entry = try host.timetable.add(
                app: app, plugin: plugin, arguments: arguments, every: every, onCharge: onCharge)
            Console.data(["id": .string(entry.id)])
            if !plan.decision.runs {
                Console.say(
                    "nothing runs before you allow it: escrow grant allow --app \(app) --plugin \(plugin)")
            }
        }
    }

    struct List: Paged {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List what runs by itself, a line each, and what it did on its last day.")
        @OptionGroup var paging: PagingOptions
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let timetable = try home.open().timetable
            let all = try timetable.list()
            let isAway = timetable.isIndividualAway(at: Int64(time(nil)))
            if format.isJSON {
                Console.data(["paused": .bool(isAway), "schedule": .array(all.map(\.listing))])
            } else if all.isEmpty {
                Console.say("nothing runs by itself")
            } else {
                if isAway { Console.say("paused: you were not here for a month") }
                Console.table(
                    ["id", "app", "plugin", "every", "last day", "runs", "done", "last end"],
                    all.map {
                        [
                            $0.id, $0.app, $0.plugin, $0.every.rawValue + ($0.onCharge ? ", on charge" : ""),
                            $0.day, String($0.runs), String($0.done), $0.end,
                        ]
                    })
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Let something run by itself no more.")
        @Argument(help: "The id.") var id: String
        @OptionGroup var home: HomeOptions

        func run() throws {
            guard try home.open().timetable.remove(id) else {
                throw Diagnostic(
                    .noSuchThing, "nothing of this id runs by itself", help: "escrow schedule list")
            }
        }
    }

    struct Due: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Run what is due now, as the service would.")
        @OptionGroup var home: HomeOptions

        func run() throws {
            let cancellation = Runner.Cancellation()
            Interruption.withdraws(cancellation)
            defer { Interruption.finish() }
            for end in try home.open().runDue(cancellation: cancellation) {
                Console.say("\(end.run.plugin) for \(end.run.app): \(end.failure?.code.rawValue ?? "done")")
            }
        }
    }
}

extension PeriodicRun {
    fileprivate var listing: JSONValue {
        [
            "id": .string(id), "app": .string(app), "plugin": .string(plugin),
            "every": .string(every.rawValue),
            "onCharge": .bool(onCharge), "since": .string(since), "day": .string(day),
            "runs": .integer(Int64(runs)), "done": .integer(Int64(done)), "end": .string(end),
        ]
    }
}
