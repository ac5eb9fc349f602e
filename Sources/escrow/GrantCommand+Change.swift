import ArgumentParser
import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowFiles
import EscrowHost

extension GrantCommand {
    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract:
                "Take a decision back: its dataflow is undecided again, and runs under way hand over nothing."
        )
        @Argument(help: "The decision's id.", completion: .grants) var id: String
        @OptionGroup var home: HomeOptions

        func run() throws {
            let grant = try home.open().revokeGrant(id)
            Console.say("taken back: \(grant.state.rawValue) for \(grant.app) and \(grant.plugin.words)")
        }
    }

    struct Reset: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset",
            abstract: "Take back every decision about an app or a plugin, or all there are.")
        @Option(help: "The app.", completion: .apps) var app: String?
        @Option(help: "The plugin's id.", completion: .plugins) var plugin: String?
        @Flag(help: "All decisions.") var all = false
        @OptionGroup var home: HomeOptions

        func validate() throws {
            guard all != (app != nil || plugin != nil) else {
                throw ValidationError("name an app, a plugin or both, or say --all")
            }
        }

        func run() throws {
            let gone = try home.open().grants.reset(app: app, plugin: plugin)
            for grant in gone {
                Console.say(
                    "taken back: \(grant.id), \(grant.state.rawValue) for \(grant.app) and \(grant.plugin.words)"
                )
            }
            Console.say(
                gone.isEmpty ? "there was nothing to take back" : "these dataflows are undecided again")
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Print the decisions that hold, for escrow grant import. As private as the home itself."
        )
        @OptionGroup var home: HomeOptions

        func run() throws { Console.data(try home.open().grants.export()) }
    }

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Add exported decisions to those that stand. Where two disagree, a denial wins.")
        @Argument(help: "The file.", completion: .file()) var file: String
        @Flag(help: "Take them over; without this they are only shown.") var yes = false
        @OptionGroup var home: HomeOptions

        func run() throws {
            let store = try home.open().grants
            let grants = try store.read(exported: try SecureFile.read(file, limit: 8 << 20), name: file)
            for grant in grants {
                Console.say(
                    "\(grant.id)  \(grant.state.rawValue) for \(grant.app) and \(grant.plugin.words), \(grant.scope.words(used: grant.useCount))"
                )
            }
            guard yes else {
                Console.say("nothing was changed; to take these over: escrow grant import --yes FILE")
                return
            }
            let added = try store.add(grants)
            Console.say("\(added.count) taken over, \(grants.count - added.count) were here already")
        }
    }
}

extension Dataflow.Plugin {
    /// As people know it.
    fileprivate var words: String { "\(id) \(version)" }
}
