import ArgumentParser
import EscrowServerService
import EscrowTrust

struct TrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust", abstract: "Say whose plugins may run here.", subcommands: [Add.self, List.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Trust a key for plugins whose id fits a pattern.")
        @OptionGroup var folder: FolderOption
        @Argument(help: "A plugin id, or whole labels and a star: org.example.*") var pattern: String
        @Argument(help: "The public key, as escrow key show prints it.") var key: String

        func run() throws {
            let home = try folder.open()
            try TrustFile(home.trustPath).add(
                TrustEntry(
                    pattern: pattern, key: try PublicKey(base64: key), name: nil, validAfter: nil,
                    validBefore: nil))
            say("trusted    \(pattern)")
            say("holds      at once; where the server proves itself by its TPM, from its machine's")
            say("           next start and a new escrow-server attest on; until then it cannot start again")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List whose plugins may run here.")
        @OptionGroup var folder: FolderOption

        func run() throws {
            for entry in try folder.open().trust().entries { say("\(entry.pattern)  \(entry.key.id)") }
        }
    }
}
