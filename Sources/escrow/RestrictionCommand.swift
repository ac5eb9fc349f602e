import ArgumentParser
import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowHost
import EscrowJSON

struct RestrictionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restriction",
        abstract: "Rules that a guardian or an organisation signed, and that you cannot override.",
        subcommands: [List.self, Add.self, Remove.self, Sign.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the restrictions, and who set each.")
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let host = try home.open()
            let restrictions = try host.restrictions.list()
            let lost = try host.lostRestrictions()
            if format.isJSON {
                Console.data([
                    "restrictions": .array(restrictions.map(\.json)),
                    "lost": .array(lost.map(JSONValue.string)),
                ])
                return
            }
            if restrictions.isEmpty { Console.say("nobody restricts your dataflows") }
            for id in lost {
                Console.say(
                    "warning: \(id) was added, never taken back, and is gone: somebody deleted its files")
            }
            guard !restrictions.isEmpty else { return }
            Console.table(
                ["id", "class", "set by", "key", "version", "rules"],
                restrictions.map {
                    [
                        $0.id, $0.kind.rawValue, $0.setBy, $0.fingerprint, String($0.sequence),
                        ([$0.freezeSentence].compactMap(\.self)
                            + $0.preferences.rules.map { "\($0.id): \($0.sentence)" }).joined(
                                separator: "; "),
                    ]
                })
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a signed restriction, or a later version of one.",
            discussion: "From then on only who signed it can change it or take it back.")
        @Argument(help: "The file, as `escrow restriction sign` wrote it.", completion: .file()) var file:
            String
        @OptionGroup var home: HomeOptions

        func run() throws {
            let restriction = try home.open().addRestriction(
                try SecureFile.read(file, limit: 1 << 20), file: file)
            Console.say("restricted by \(restriction.setter), key \(restriction.fingerprint)")
            for rule in restriction.preferences.rules where !restriction.isRemoved {
                Console.say("  \(rule.id): \(rule.sentence)")
            }
            if let sentence = restriction.freezeSentence, !restriction.isRemoved {
                Console.say("  \(sentence)")
            }
            if restriction.isRemoved { Console.say("it is taken back, by who set it") }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Take a restriction back, with a file that says so, signed by who set it.")
        @Argument(help: "The file, as `escrow restriction sign --remove` wrote it.", completion: .file())
        var file: String
        @OptionGroup var home: HomeOptions

        func run() throws {
            let bytes = try SecureFile.read(file, limit: 1 << 20)
            let host = try home.open()
            guard try Restriction.isRemoval(bytes, file: file) else {
                throw Diagnostic(
                    .restrictionOfAnother, "this file does not take a restriction back",
                    notes: ["what somebody else set, only they can take back"],
                    help: "ask who set it for a file signed with --remove: escrow restriction list")
            }
            let restriction = try host.addRestriction(bytes, file: file)
            Console.say("taken back: \(restriction.id), by \(restriction.setter)")
        }
    }

    struct Sign: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign",
            abstract: "For guardians and organisations: sign a restriction with a key of this home.")
        @Argument(help: "The document: id, class, setBy, rules.", completion: .file()) var file: String
        @Option(help: "The name of the key: escrow key new NAME.", completion: .keys) var key: String
        @Option(help: "The version, greater than that of the one before.") var sequence: Int64 = 1
        @Flag(help: "Take the restriction back.") var remove = false
        @Option(help: "Where to write the signed file.") var output: String
        @OptionGroup var home: HomeOptions

        func run() throws {
            let home = try Home.open(at: try home.location())
            let signed = try Restriction.sign(
                try SecureFile.read(file, limit: 1 << 20), with: try home.keyPath(key), sequence: sequence,
                isRemoved: remove, file: file)
            try SecureFile.replace(output, with: signed, mode: 0o644)
            Console.say("signed: \(output)")
        }
    }
}

extension Restriction {
    fileprivate var json: JSONValue {
        [
            "id": .string(id), "class": .string(kind.rawValue), "setBy": .string(setBy),
            "key": .string(fingerprint), "version": .integer(sequence),
            "freezesDecisions": .bool(freezesDecisions),
            "rules": .array(
                preferences.rules.map {
                    [
                        "id": .string($0.id), "effect": .string($0.effect.rawValue),
                        "text": .string($0.sentence),
                    ]
                }),
        ]
    }
}
