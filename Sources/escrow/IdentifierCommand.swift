import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import EscrowHost
import EscrowIdentity
import EscrowJSON

struct IdentifierCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "id",
        abstract: "See what apps and publishers know you by, and change it.",
        discussion: """
            An identifier is a random number that a plugin is told where its manifest asks for it and you allow it: one \
            for each app, one for each publisher, one for advertising. None says anything about you or this machine.
            """,
        subcommands: [List.self, Reset.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List your identifiers.")
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            format.list(
                try home.open().identifiers.list(), as: "identifiers",
                none: "nobody was told an identifier yet", ["kind", "for", "identifier"]
            ) {
                [$0.kind.rawValue, $0.owner ?? "all advertising", $0.value]
            } json: {
                [
                    "kind": .string($0.kind.rawValue), "owner": $0.owner.map(JSONValue.string) ?? .null,
                    "id": .string($0.value),
                ]
            }
        }
    }

    struct Reset: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset",
            abstract: "Forget identifiers: whoever asks next is told a new one.",
            discussion: "With an app's identifier go the pseudonyms and samples that its plugins were given.")
        @Argument(
            help: "application, vendor or advertising.",
            completion: .list(["application", "vendor", "advertising"])) var kind: String
        @Argument(help: "The app's id, or the publisher's key; without it all of the kind.") var owner:
            String?
        @OptionGroup var home: HomeOptions

        func run() throws {
            guard let kind = Identifier.Kind(rawValue: kind) else {
                throw Diagnostic(
                    .noSuchIdentifier, "there is no such kind of identifier",
                    help: "there are: application, vendor, advertising")
            }
            let count = try home.open().resetIdentifiers(kind, owner: owner)
            Console.say(count == 1 ? "forgot 1 identifier" : "forgot \(count) identifiers")
        }
    }
}
