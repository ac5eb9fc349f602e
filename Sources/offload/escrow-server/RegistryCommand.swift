import ArgumentParser
import EscrowDiagnostics
import EscrowServerRegistry
import EscrowServerService
import Glibc

struct RegistryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registry", abstract: "Say which plugins may run here.",
        subcommands: [Add.self, List.self, Remove.self, Revoke.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Register a plugin; its signature and every file of it are checked first.")
        @OptionGroup var folder: FolderOption
        @Argument(help: "A package, as escrow plugin pack writes it.") var package: String

        func run() throws {
            let home = try folder.open()
            let plugin = try home.register(package, in: try home.registry())
            say("registered \(plugin.id) \(plugin.version)  \(plugin.manifest)")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the plugins that may run here.")
        @OptionGroup var folder: FolderOption

        func run() throws {
            let home = try folder.open()
            for plugin in try home.registry().plugins() {
                say(
                    "\(plugin.id)  \(plugin.version)  \(plugin.manifest)  \(plugin.isRevoked ? "revoked" : "")"
                )
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Forget a plugin's packages.")
        @OptionGroup var folder: FolderOption
        @Argument(help: "The plugin's id.") var plugin: String

        func run() throws {
            let home = try folder.open()
            guard try home.registry().remove(plugin) > 0 else { throw Diagnostic.notRegisteredHere(plugin) }
            say("removed    \(plugin)")
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Refuse versions of a plugin for ever.")
        @OptionGroup var folder: FolderOption
        @Argument(help: "The plugin's id.") var plugin: String
        @Option(help: "One version alone, by its manifest's digest.") var manifest: String?

        func run() throws {
            let home = try folder.open()
            guard try home.registry().revoke(plugin, manifest: manifest) > 0 else {
                throw Diagnostic.notRegisteredHere(plugin)
            }
            say("revoked    \(plugin)")
        }
    }
}

extension Diagnostic {
    fileprivate static func notRegisteredHere(_ plugin: String) -> Diagnostic {
        Diagnostic(
            .notRegisteredHere, "nothing of that name is registered here", help: "escrow-server registry list"
        )
    }
}
