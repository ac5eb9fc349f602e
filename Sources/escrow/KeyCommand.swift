import ArgumentParser
import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowHost
import EscrowJSON
import EscrowTrust
import Glibc

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make and list the keys that you sign plugins with.",
        subcommands: [New.self, List.self])

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make a signing key (Ed25519).")
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

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the signing keys of this home.")
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let home = try Home.open(at: try home.location())
            var keys: [(name: String, key: SigningKey)] = []
            for name in try home.keyNames() {
                keys.append((name, try SigningKey.load(try home.keyPath(name))))
            }
            if format.isJSON {
                Console.data(["keys": .array(keys.map { row($0.name, $0.key) })])
            } else if keys.isEmpty {
                Console.say("there are no signing keys yet: escrow key new")
            } else {
                Console.table(
                    ["name", "fingerprint", "public key"],
                    keys.map { [$0.name, $0.key.publicKey.id.description, $0.key.publicKey.base64] })
            }
        }
    }
}

private func row(_ name: String, _ key: SigningKey) -> JSONValue {
    [
        "name": .string(name), "fingerprint": .string(key.publicKey.id.description),
        "publicKey": .string(key.publicKey.base64),
    ]
}
