import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowJSON
import EscrowTrust
import Glibc

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make, list and remove the keys that you sign plugins with.",
        subcommands: [New.self, List.self, Show.self, Remove.self])

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Make a signing key (Ed25519).")
        @Argument(help: "A name for it, in this home.") var name = "default"
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let home = try Home.open(at: try home.location())
            let key = try SigningKey.generate()
            let path = try home.keyPath(name)
            try key.save(path)
            if format.isJSON {
                Console.data(row(name, key))
            } else {
                Console.say("made the key \(name) in \(path), for you alone (mode 0600)")
                Console.say("fingerprint  \(key.publicKey.id)")
                Console.say("public key   \(key.publicKey.base64)")
                Console.say("people trust it with: escrow trust add 'YOUR.ID.*' \(key.publicKey.base64)")
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract:
                "Print a public key alone, for a file that you pass on: escrow trust add --key-file FILE.")
        @Argument(help: "Its name.", completion: .keys) var name = "default"
        @OptionGroup var home: HomeOptions

        func run() throws {
            let home = try Home.open(at: try home.location())
            Console.line(try home.signingKey(name).publicKey.base64)
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a signing key for good: nothing can be signed with it any more.")
        @Argument(help: "Its name.", completion: .keys) var name: String
        @Flag(name: .shortAndLong, help: "Do not ask.") var yes = false
        @OptionGroup var home: HomeOptions

        func run() throws {
            let home = try Home.open(at: try home.location())
            let path = try home.keyPath(name)
            let key = try home.signingKey(name)
            guard
                try yes
                    || Console.confirms(
                        "remove \(name), \(key.publicKey.id), for good? [y/N] ",
                        help: "to remove it without being asked: --yes")
            else { return Console.say("nothing was removed") }
            guard unlink(path) == 0 else { throw Diagnostic.file(path, "cannot be removed", errno) }
            try SecureFile.synchronizeFolder(SecureFile.parent(of: path))
            Console.say("removed the key \(name), \(key.publicKey.id)")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the signing keys of this home.")
        @Flag(help: "Print what they can be called, and nothing else.") var names = false
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let home = try Home.open(at: try home.location())
            guard !names else { return Console.names(try home.keyNames()) }
            var keys: [(name: String, key: SigningKey)] = []
            for name in try home.keyNames() {
                keys.append((name, try home.signingKey(name)))
            }
            format.list(
                keys, as: "keys", none: "there are no signing keys yet: escrow key new",
                ["name", "fingerprint", "public key"],
                row: { [$0.name, $0.key.publicKey.id.description, $0.key.publicKey.base64] },
                json: { row($0.name, $0.key) })
        }
    }
}

private func row(_ name: String, _ key: SigningKey) -> JSONValue {
    [
        "name": .string(name), "fingerprint": .string(key.publicKey.id.description),
        "publicKey": .string(key.publicKey.base64),
    ]
}
