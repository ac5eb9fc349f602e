import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import EscrowLocation
import EscrowLocationCommands
import EscrowLocationPrivacy
import Glibc

struct LocationFollowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Follow where this machine is, and run a plugin for each update.",
        discussion: """
            Live location needs a decision of its own for each app (escrow location live allow), and each run the plugin's \
            grant. Places are kept for the table Location: the newest alone, unless --keep says more.
            """)
    enum Provider: String, ExpressibleByArgument, CaseIterable { case gpsd, geoclue }

    @Option(help: "Who knows where this machine is: gpsd or geoclue.") var from = Provider.gpsd
    @Option(help: "The port of gpsd on this machine; 2947, or what config.json says.") var port: UInt16?
    @Option(help: "How exactly it is wanted: country, city, neighbourhood, street or exact.")
    var accuracy = "street"
    @Option(help: "How often: standard, significant (half a kilometre and five minutes) or visits.")
    var mode = "standard"
    @Option(help: "The app that is followed for.") var app = "org.escrow.cli"
    @Option(name: .customLong("run"), help: "The plugin that runs for each update.", completion: .plugins)
    var plugin: String?
    @Option(name: .customLong("param"), help: "A parameter of the plugin, NAME=VALUE; may be repeated.")
    var parameters: [String] = []
    @Option(help: "For how many hours places are kept; 0 keeps the newest alone.") var keep = 0
    @Option(help: "End after so many updates.") var updates = Int.max
    @Option(
        help:
            "The process that is used, for an app that may only be told meanwhile; by default the one that began this."
    )
    var using: Int32?
    @OptionGroup var home: HomeOptions
    @OptionGroup var format: FormatOptions

    func validate() throws {
        guard (0...8_760).contains(keep), updates > 0 else {
            throw ValidationError("--keep is 0 to 8760 hours, and --updates at least 1")
        }
    }

    func run() throws {
        let host = try home.open()
        let desired: Exactness = try LocationWord.read(accuracy, "--accuracy", help: Self.help)
        let mode: UpdateFilter.Mode = try LocationWord.read(
            mode, "--mode", help: Self.help)
        let permission = try host.live.check(app)
        var user: ProgramInUse?
        if permission == .whileUsing {
            guard let program = ProgramInUse(using ?? getppid()) else {
                throw Diagnostic(
                    .liveForbidden,
                    "\(app) is told live where you are only while it is used, and that process is gone",
                    help: "name its process: --using PID")
            }
            user = program
        }
        let provider: any LiveProvider =
            switch from {
            case .gpsd: try Gpsd(port: port ?? host.gpsdPort)
            case .geoclue: try GeoClue(desired: desired)
            }
        let cancellation = Runner.Cancellation()
        Interruption.withdraws(cancellation)
        let follow = LiveFollow(
            app: app, plugin: plugin, provider: from.rawValue, mode: mode, desired: desired,
            began: Int64(time(nil)))
        Console.say("live location is on for \(app); Ctrl-C ends it")
        var failure: Diagnostic?
        do throws(Diagnostic) {
            let end = try host.follow(
                follow, by: provider, keepingHours: keep, most: updates, user: user,
                cancellation: cancellation
            ) { (reason, count) throws(Diagnostic) in try answer(host, cancellation, reason, count) }
            let why = end == .unused ? ": it is not used any more" : ""
            Console.say("live location is off for \(app)\(why)")
        } catch { failure = error }
        Interruption.finish()
        BackgroundTidying.start(host)
        if let failure { throw failure }
    }

    private static let help = "escrow location follow --help"

    /// Runs the plugin for an update. What forbids it ends the following; a server that does not answer does not.
    private func answer(
        _ host: Host, _ cancellation: Runner.Cancellation, _ reason: UpdateFilter.Reason, _ number: Int
    ) throws(Diagnostic) {
        guard let plugin else {
            if format.isJSON {
                Console.line(["update": .integer(Int64(number)), "reason": .string(reason.word)])
            } else {
                Console.say("update \(number): \(reason.word)")
            }
            return
        }
        var request = RunRequest(app: app, plugin: plugin)
        request.arguments = try Parameters.values(parameters)
        let runner = Runner(
            host: host, decider: TerminalDecider(host: host, spinner: nil),
            cancellation: cancellation, patience: .queue)
        do throws(Diagnostic) {
            let result = try runner.run(request)
            if format.isJSON, case .json(let value) = result.value {
                Console.line(
                    ["update": .integer(Int64(number)), "reason": .string(reason.word), "result": value])
            } else {
                do { try RunCommand.show(result, isJSON: format.isJSON) } catch {
                    throw Diagnostic(.outputNotWritten, "a result could not be written")
                }
            }
        } catch {
            guard error.passes, !cancellation.isCancelled else { throw error }
            Console.report(error)
        }
    }
}

struct LocationLiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Who is told live where you are, who was in the last day, and who may be.",
        subcommands: [Show.self, Allow.self], defaultSubcommand: Show.self)

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show who is told live where you are, and who was in the last 24 hours.")
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let live = try home.open().live
            let follows = try live.follows()
            let apps = try live.permissions()
            if format.isJSON {
                return Console.data([
                    "follows": .array(
                        follows.map { .object(($0.json.members ?? []) + [("now", .bool($0.isRunning))]) }),
                    "apps": .array(
                        apps.map { ["app": .string($0.app), "when": .string($0.permission.rawValue)] }),
                ])
            }
            if follows.isEmpty {
                Console.say("nobody is told live where you are, nor was in the last 24 hours")
            } else {
                let now = Int64(time(nil))
                Console.table(
                    ["app", "live", "updates", "accuracy", "mode", "from", "plugin"],
                    follows.map {
                        [
                            $0.app, $0.isRunning ? "NOW" : "\(max(now - $0.last, 0) / 60) min ago",
                            "\($0.updates)", $0.desired.rawValue, $0.mode.rawValue, $0.provider,
                            $0.plugin ?? "",
                        ]
                    })
            }
            for (app, permission) in apps { Console.say("\(app) \(permission.words)") }
        }
    }

    struct Allow: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "allow",
            abstract: "Decide when an app may be told live where you are: never, while-using or always.")
        @Argument(
            help: "never, while-using or always.", completion: .list(["never", "while-using", "always"]))
        var when: String
        @Option(help: "The app.", completion: .apps) var app: String
        @OptionGroup var home: HomeOptions

        func run() throws {
            guard let permission = LiveStore.Permission(rawValue: when) else {
                throw Diagnostic(
                    .locationRuleInvalid, "it is one of never, while-using and always",
                    help: "escrow location live allow --help")
            }
            try home.open().allowLive(app, permission)
            Console.say("\(app) \(permission.words)")
        }
    }
}
