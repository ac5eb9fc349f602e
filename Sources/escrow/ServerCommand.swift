import ArgumentParser
import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import EscrowOffloadWire
import EscrowRemote
import EscrowServers

struct ServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server", abstract: "Servers of yours, or of people you trust, that plugins may run on.",
        discussion: """
            A server is named by the file that its owner makes with escrow-server enrol. Nothing goes there unless a run names \
            it and you allowed that dataflow at that place.
            """,
        subcommands: [Add.self, List.self, Show.self, Check.self, Require.self, Explain.self, Remove.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a server, or take over its new certificates.",
            discussion: "The file holds this device's key for the server: delete it afterwards.")
        @Argument(help: "The file that escrow-server enrol wrote.", completion: .file()) var file: String
        @Option(help: "Your own name for the server.") var id: String?
        @Option(
            help:
                "Plugins that it may run, ids or whole labels and a star; may be repeated. Without it, any; for a server that is there, as it was."
        )
        var plugins: [String] = []
        @OptionGroup var home: HomeOptions

        func run() throws {
            var server = try ServerList.enrolment(file)
            if let id {
                guard EscrowServer.isID(id) else {
                    throw Diagnostic(
                        .serverFileUnfit, "a server's name is of a-z, 0-9 and '-'",
                        help: "for example: --id home")
                }
                server.id = id
            }
            try home.open().addServer(server, plugins: plugins)
            Console.say(
                "added    \(server.id), \(PlainText.neutral(server.target.host, longest: 128)):\(server.target.port)"
            )
            Console.say("next     escrow server check \(server.id)")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List your servers.")
        @Flag(help: .hidden) var names = false
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let list = try home.open().servers
            let servers = try list.list()
            guard !names else { return Console.names(servers.map(\.id)) }
            format.list(
                servers, as: "servers", none: "there is no server: escrow server add FILE",
                ["server", "address", "key", "plugins", "processors", "memory", "storage", "system"]
            ) { server in
                let size = list.about(server.id).map {
                    [
                        "\($0.processors)", "\($0.memoryMiB) MiB", "\($0.storageMiB) MiB",
                        PlainText.neutral($0.system, longest: 40),
                    ]
                }
                return [
                    server.id,
                    "\(PlainText.neutral(server.target.host, longest: 128)):\(server.target.port)",
                    String(server.target.pin.prefix(16)), server.plugins.joined(separator: " "),
                ] + (size ?? ["?", "?", "?", "not checked yet"])
            } json: {
                $0.shown(list.about($0.id))
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show what is kept of a server, without its keys.")
        @Argument(help: "The server.", completion: .servers) var id: String
        @OptionGroup var home: HomeOptions

        func run() throws {
            let servers = try home.open().servers
            Console.data(try servers.find(id).shown(servers.about(id)))
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Connect to a server, and see what it is and runs. Nothing of yours is sent.")
        @Argument(help: "The server.", completion: .servers) var id: String
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let host = try home.open()
            let server = try host.servers.find(id)
            let description = try ServerCheck.describe(server)
            try host.note(description, of: server)
            func neutral(_ text: String) -> String { PlainText.neutral(text, longest: 128) }
            if format.isJSON {
                Console.data([
                    "server": .string(server.id), "callsItself": .string(description.server),
                    "version": .string(description.version), "system": .string(description.system),
                    "processor": .string(description.processor),
                    "processors": .integer(Int64(description.processors)),
                    "memoryMiB": .integer(Int64(description.memoryMiB)),
                    "storageMiB": .integer(Int64(description.storageMiB)),
                    "memoryLocked": .bool(description.isMemoryLocked),
                    "plugins": .array(
                        description.plugins.map {
                            [
                                "id": .string($0.id), "version": .string($0.version),
                                "manifest": .string($0.manifest),
                            ]
                        }),
                ])
                return
            }
            Console.table(
                ["what", "as it says"],
                [
                    ["name", neutral(description.server)], ["version", neutral(description.version)],
                    ["system", neutral(description.system)],
                    ["processor", "\(description.processors) of \(neutral(description.processor))"],
                    ["memory", "\(description.memoryMiB) MiB"],
                    [
                        "swap",
                        description.isMemoryLocked
                            ? "none, memory is locked" : "none now; memory is NOT locked",
                    ],
                    ["storage", "\(description.storageMiB) MiB"],
                ] + description.plugins.map { ["runs", "\(neutral($0.id)) \(neutral($0.version))"] })
        }
    }

    struct Require: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "require",
            abstract: "Say what a server must prove before it is given anything.",
            discussion: "What you allowed there before is asked about again: it held for the key alone.")
        @Argument(help: "The server.", completion: .servers) var id: String
        @Argument(help: "The file that escrow-server attest wrote; none takes it back.") var file: String
        @OptionGroup var home: HomeOptions

        func run() throws {
            let requirement = file == "none" ? nil : try ServerList.requirement(file)
            let server = try home.open().require(requirement, of: id)
            Console.say(
                requirement == nil
                    ? "\(server.id) need not prove anything"
                    : "\(server.id) must prove its software by its TPM; as a place it is now \(server.placeName)"
            )
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Forget a server and this device's key for it. Its name stays with its key.")
        @Argument(help: "The server.", completion: .servers) var id: String
        @OptionGroup var home: HomeOptions

        func run() throws {
            let server = try home.open().removeServer(id)
            Console.say("removed  \(server.id)")
        }
    }
}

extension EscrowServer {
    /// What may be shown: no key.
    fileprivate func shown(_ about: ServerDescription?) -> JSONValue {
        [
            "id": .string(id), "host": .string(target.host), "port": .integer(Int64(target.port)),
            "key": .string("sha256:" + target.pin), "plugins": .array(plugins.map(JSONValue.string)),
            "machine": about.map {
                [
                    "processors": .integer(Int64($0.processors)), "memoryMiB": .integer(Int64($0.memoryMiB)),
                    "storageMiB": .integer(Int64($0.storageMiB)), "system": .string($0.system),
                    "processor": .string($0.processor),
                ]
            } ?? .null,
        ]
    }
}
