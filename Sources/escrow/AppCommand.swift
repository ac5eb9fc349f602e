import ArgumentParser
import EscrowApps
import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowHome
import EscrowJSON
import Glibc

struct AppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Say which apps there are, and run them where your data is out of reach.",
        subcommands: [
            Add.self, List.self, Remove.self, Failures.self, Run.self, Check.self, Audit.self, Reach.self,
            First.self,
        ])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add an app, or change what it may use where it is confined.",
            discussion: """
                Without --no-token a token is printed, once: who sends it is known as this app. What an app may use is for \
                escrow app run; each call says all of it.
                """)
        @Argument(help: "The id, for example org.example.notes.") var id: String
        @Flag(help: "It may use the network.") var network = false
        @Flag(help: "It may open windows.") var display = false
        @Flag(help: "It may play and record sound.") var sound = false
        @Option(help: "A folder that it may read; may be repeated.", completion: .directory)
        var folder: [String] = []
        @Option(help: "A folder that it may change; may be repeated.", completion: .directory)
        var writableFolder: [String] = []
        @Flag(help: "Give out no token.") var noToken = false
        @OptionGroup var home: HomeOptions

        func run() throws {
            try AppCommand.check(id)
            let home = try Home.open(at: try home.location())
            var profile = AppProfile()
            profile.network = network
            profile.display = display
            profile.sound = sound
            profile.folders =
                folder.map { .init(Walls.real(Home.absolute($0)), writes: false) }
                + writableFolder.map { .init(Walls.real(Home.absolute($0)), writes: true) }
            let token = try AppBook(home: home.path).put(id, profile: profile, newToken: !noToken)
            Console.say("\(id) may use, where it is confined: \(AppCommand.words(profile))")
            if display {
                Console.say(
                    """
                    an X11 display shows a program all windows and keys, and lets it type into them; Wayland does neither, but \
                    where its compositor gives every program screen copies or virtual keyboards, as those of wlroots do
                    """)
            }
            if let token { Console.data(token) }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the apps that were added.")
        @Flag(help: "Print what they can be called, and nothing else.") var names = false
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let apps = try AppBook(home: try Home.open(at: try home.location()).path).list()
            guard !names else { return Console.names(apps.map(\.id)) }
            format.list(
                apps, as: "apps", none: "no app was added: escrow app add ID",
                ["app", "token", "may use, where it is confined"]
            ) {
                [$0.id, $0.tokenDigest == nil ? "no" : "yes", AppCommand.words($0.profile)]
            } json: {
                [
                    "id": .string($0.id), "token": .bool($0.tokenDigest != nil),
                    "uses": .array($0.profile.words.map(JSONValue.string)),
                ]
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove an app: its token proves nothing any more.",
            discussion: "What was granted to it stays: escrow grant list, escrow grant revoke.")
        @Argument(help: "The id.", completion: .addedApps) var id: String
        @OptionGroup var home: HomeOptions

        func run() throws {
            let home = try Home.open(at: try home.location())
            guard try AppBook(home: home.path).remove(id) else {
                throw Diagnostic(.noSuchApp, "no app was added under that id", help: "escrow app list")
            }
            Console.say("removed: \(id)")
        }
    }

    static func check(_ id: String) throws(Diagnostic) {
        guard Dataflow.isAppID(id) else {
            throw Diagnostic(
                .appID, "an app id is labels of a-z, 0-9 and '-' with dots between them",
                help: "for example: org.example.notes")
        }
    }

    static func words(_ profile: AppProfile) -> String {
        profile.words.isEmpty ? "its own socket alone" : profile.words.joined(separator: ", ")
    }
}
