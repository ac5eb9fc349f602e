import ArgumentParser
import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowHost
import EscrowJSON
import EscrowLedger

struct PreferencesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preferences",
        abstract: "Rules that decide about dataflows before anyone is asked: show, edit, check and try them.",
        discussion: """
            They stand in preferences.json of the escrow home; docs/spec/preferences.md tells what may stand there.
            """,
        subcommands: [Show.self, Edit.self, Check.self, Try.self, Purposes.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show your rules, your trust zone, and what the device tells.")
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let host = try home.open()
            let preferences = try host.preferences()
            let device = try host.catalogue().device
            if format.isJSON {
                Console.data([
                    "file": .string(host.home.preferencesPath),
                    "unmatched": .string(preferences.unmatched.rawValue),
                    "trustZone": [
                        "servers": .array(preferences.trustZone.servers.map(JSONValue.string)),
                        "apps": .array(preferences.trustZone.apps.map(JSONValue.string)),
                        "endpoints": .array(preferences.trustZone.endpoints.map(JSONValue.string)),
                    ],
                    "device": device.map(\.json) ?? .null,
                    "rules": .array(
                        preferences.rules.map {
                            [
                                "id": .string($0.id), "effect": .string($0.effect.rawValue),
                                "text": .string($0.sentence), "why": $0.why.map(JSONValue.string) ?? .null,
                            ]
                        }),
                ])
                return
            }
            let zone = preferences.trustZone
            let others = zone.servers.map { "server \($0)" } + zone.apps.map { "app \($0)" } + zone.endpoints
            Console.say("trust zone: \((["this device"] + others).joined(separator: ", "))")
            Console.say("where neither a rule nor a grant decides: \(preferences.unmatched.rawValue)")
            if let device { Console.say("the device: \(device.words)") }
            if preferences.rules.isEmpty {
                Console.say("you have no rules; they would stand in \(host.home.preferencesPath)")
                Console.say("a file to begin with: escrow explain E1101")
            } else {
                Console.table(
                    ["rule", "says", "why"], preferences.rules.map { [$0.id, $0.sentence, $0.why ?? ""] })
            }
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Find contradictions, and rules that can never fire or change nothing.")
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let host = try home.open()
            let preferences = try host.preferences()
            let findings = preferences.check(against: try host.catalogue())
            if format.isJSON {
                Console.data([
                    "findings": .array(
                        findings.map {
                            [
                                "kind": .string($0.kind.rawValue),
                                "rule": $0.rule.isEmpty ? .null : .string($0.rule),
                                "other": $0.other.map(JSONValue.string) ?? .null,
                                "message": .string($0.message),
                            ]
                        })
                ])
            } else if findings.isEmpty {
                Console.say("\(preferences.rules.count) rules, and nothing to say about them")
            } else {
                findings.forEach { Console.data($0.message) }
            }
            if findings.contains(where: { $0.kind == .contradiction || $0.kind == .neverFires }) {
                throw ExitCode(1)
            }
        }
    }

    struct Try: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "try",
            abstract:
                "Replay your past dataflows under a rule that you do not have yet, and say what it would change.",
            discussion: """
                Nothing is changed. A rule with the id of one that you have takes its place; a whole preferences file takes the \
                place of all that you have.
                """)
        @Argument(
            help: "A file with a rule, an array of rules, or a whole preferences.json.", completion: .file())
        var rule: String
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let host = try home.open()
            let bytes = try SecureFile.read(rule, limit: Preferences.maximumBytes)
            let replay = try host.ledgerReader().replay(
                try Preferences.parseProposal(bytes, file: rule), before: try host.preferences())
            if format.isJSON {
                Console.data(replay.json)
                return
            }
            Console.say(
                "it would have changed \(replay.changedCount) of \(replay.count) dataflows that the ledger knows"
            )
            if replay.untold > 0 {
                Console.say(
                    "of \(replay.untold) the ledger does not tell all that the rule looks at: taken as not known"
                )
            }
            guard !replay.changes.isEmpty else { return }
            Console.table(
                ["times", "app", "plugin", "purpose", "was", "would be", "last"],
                replay.changes.map {
                    [String($0.times), $0.app, $0.plugin, $0.purpose, $0.from, $0.to, $0.last]
                })
        }
    }

    struct Purposes: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "purposes",
            abstract: "Print the purposes that rules can name, each below those that cover it.")
        @OptionGroup var format: FormatOptions

        func run() throws {
            format.list(PurposeTree.nodes, as: "purposes", ["code", "below", "Data Privacy Vocabulary"]) {
                [$0.code, $0.broader.joined(separator: ", "), $0.term.map { "dpv:" + $0 } ?? ""]
            } json: {
                [
                    "code": .string($0.code), "iri": $0.iri.map(JSONValue.string) ?? .null,
                    "broader": .array($0.broader.map(JSONValue.string)),
                ]
            }
        }
    }
}

extension DeviceState {
    fileprivate var words: String {
        func word(_ value: Bool?, _ yes: String, _ no: String, _ what: String) -> String {
            value.map { $0 ? yes : no } ?? "does not tell \(what)"
        }
        return [
            word(charging, "on external power", "on battery", "how it is powered"),
            battery.map { "battery \($0) %" } ?? "does not tell its battery",
            word(metered, "metered network", "network not metered", "whether the network is metered"),
            cpuPressure.map { "processor pressure \($0) %" } ?? "does not tell its load",
        ].joined(separator: ", ")
    }

    fileprivate var json: JSONValue {
        [
            "charging": charging.map(JSONValue.bool) ?? .null,
            "battery": battery.map { .integer(Int64($0)) } ?? .null,
            "metered": metered.map(JSONValue.bool) ?? .null,
            "cpuPressure": cpuPressure.map { .integer(Int64($0)) } ?? .null,
        ]
    }
}
