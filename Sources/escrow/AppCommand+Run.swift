import ArgumentParser
import CAppPeers
import EscrowApps
import EscrowConsole
import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowSources
import Glibc

/// What `escrow app run` and `escrow app check` begin from.
struct WallOptions: ParsableArguments {
    @Option(help: "The folder of the service's sockets (default: escrow in $XDG_RUNTIME_DIR).")
    var runtime: String?
    @OptionGroup var home: HomeOptions

    /// The walls of an app with its own socket, which the service answers as long as this process lives.
    func walls(
        _ id: String
    ) throws(Diagnostic) -> (walls: Walls, socket: OwnSocket, sound: SoundRelay?, secrets: [String]) {
        try AppCommand.check(id)
        let home = try Home.open(at: try home.location())
        let place = try ServicePlace(given: runtime)
        let secrets = try self.secrets(home, place)
        let socket = try OwnSocket(for: id, place)
        do throws(Diagnostic) {
            let apps = try AppBook(home: home.path).list()
            let profile = apps.first { $0.id == id }?.profile ?? AppProfile()
            let sound = profile.sound ? try self.sound(id, place) : nil
            let appHome = try Self.appHome(id)
            let others = try socket.share(
                writable: profile.folders.filter(\.writes).map(\.path) + [Walls.real(appHome)])
            guard let own = Companion.path() else {
                throw Diagnostic(.ownFault, "the path of this program is not known")
            }
            let walls = try Walls(
                app: id, profile: profile, secrets: secrets, escrowHome: home.path, appHome: appHome,
                socket: socket.path, tool: own,
                writable: others + apps.flatMap { $0.profile.folders.filter(\.writes).map(\.path) },
                display: .init(sound: sound))
            Self.scope(profile)
            return (walls, socket, sound, secrets)
        } catch {
            socket.end()
            throw error
        }
    }

    /// Abstract sockets have no path to hide; where the kernel cannot, a profile without network has none all the same.
    private static func scope(_ profile: AppProfile) {
        guard !app_scope(), profile.network else { return }
        Console.say(
            "this kernel does not keep a program that has the network from abstract sockets, as a session bus may be (Linux 6.12 does)"
        )
    }

    private func sound(_ app: String, _ place: ServicePlace) throws(Diagnostic) -> SoundRelay? {
        guard let server = SoundRelay.server() else {
            Console.say("no sound server answers at a socket of PulseAudio's: the program runs without sound")
            return nil
        }
        return try SoundRelay(to: server, for: app, place)
    }

    private func secrets(_ home: Home, _ place: ServicePlace) throws(Diagnostic) -> [String] {
        try SourceRegistry.load(directory: home.path).entries.map(\.path) + [home.path, place.folder]
    }

    /// Where an app keeps its own files between its runs.
    private static func appHome(_ id: String) throws(Diagnostic) -> String {
        if let state = getenv("XDG_STATE_HOME").map({ String(cString: $0) }), state.hasPrefix("/") {
            return state + "/escrow-apps/" + id
        }
        guard let home = getenv("HOME").map({ String(cString: $0) }), home.hasPrefix("/") else {
            throw Diagnostic(
                .noPlaceForHome, "there is no HOME to put the app's own folder under", help: "set HOME")
        }
        return home + "/.local/state/escrow-apps/" + id
    }
}

extension AppCommand {
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Run a program where your data is out of reach, with a socket of its own to ask by.",
            discussion: """
                The program sees the system's programs, a home of its own, what its profile lets through (escrow app add), and \
                $ESCROW_SOCKET. Sources, the escrow home and other sockets are not there. It exits as the program does.
                """)
        @Argument(help: "The app's id.", completion: .addedApps) var id: String
        @Argument(parsing: .postTerminator, help: "The program and its arguments, after --.") var command:
            [String]
        @OptionGroup var options: WallOptions

        func run() throws {
            guard !command.isEmpty else {
                throw Diagnostic(
                    .optionMissing, "no program is named", help: "escrow app run \(id) -- PROGRAM")
            }
            let (walls, socket, sound, _) = try options.walls(id)
            defer { withExtendedLifetime(sound) {} }
            let status: Int32
            do throws(Diagnostic) { status = try Bubblewrap.run(walls, command) } catch {
                socket.end()
                throw error
            }
            socket.end()
            throw ExitCode(status)
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Try from inside an app's walls whether your data can be reached.")
        @Argument(help: "The app's id.", completion: .addedApps) var id: String
        @OptionGroup var options: WallOptions

        func run() throws {
            let (walls, socket, sound, secrets) = try options.walls(id)
            defer { withExtendedLifetime(sound) { socket.end() } }
            try Self.give(try Reach.input(secrets, expected: walls.sockets))
            let status = try Bubblewrap.run(walls, [Walls.tool, "app", "reach"])
            guard status == 0 else {
                throw Diagnostic(
                    .sourceReachable,
                    "from inside the walls of \(id) something could be reached, or not all could be tried",
                    help: "see the lines above; then: escrow app add \(id), with less")
            }
            Console.say("nothing of \(secrets.count) places could be reached from inside")
        }

        /// Puts bytes where the program inside reads its input.
        private static func give(_ bytes: [UInt8]) throws(Diagnostic) {
            guard let file = tmpfile() else { throw .file("a temporary file", "cannot be made", errno) }
            guard fwrite(bytes, 1, bytes.count, file) == bytes.count, fflush(file) == 0,
                lseek(fileno(file), 0, SEEK_SET) == 0, dup2(fileno(file), 0) == 0
            else { throw .file("a temporary file", "cannot be written", errno) }
        }
    }

    /// What `bwrap` starts as the first process behind the walls.
    struct First: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "first",
            abstract: "Run a program as the first process of its name space.", shouldDisplay: false)
        @Option(
            name: .customLong("ignore"), parsing: .singleValue, help: "A signal that it begins with ignored.")
        var ignored: [Int32] = []
        @Argument(parsing: .postTerminator, help: "The program and its arguments, after --.") var command:
            [String]

        func run() throws {
            guard !command.isEmpty else { throw Diagnostic(.optionMissing, "no program is named") }
            throw ExitCode(Bubblewrap.first(command, ignoring: ignored))
        }
    }
}
