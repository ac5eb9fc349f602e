package import ArgumentParser
import EscrowConsole
package import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import EscrowLocation
import EscrowLocationPrivacy

package struct LocationRuleCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "rule", abstract: "Rules about how exactly you are told to a service.",
        subcommands: [List.self, Add.self, Remove.self, LocationSuggestCommand.self])

    package init() {}

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the rules. Each only makes less of what a plugin asks for.")
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            format.list(
                try home.open().location.rules(), as: "rules",
                none: "no rules: each service is told what its kind needs",
                ["id", "tells", "app", "service", "hours", "near"],
                row: { rule in
                    [
                        rule.id, rule.exactness.spelling, rule.app ?? "any", rule.service?.rawValue ?? "any",
                        rule.hours.map { "\(DayTime.text($0.from))-\(DayTime.text($0.until))" } ?? "any",
                        rule.near.map {
                            "\($0.centre.latitude),\($0.centre.longitude) within \($0.metres) m"
                        } ?? "anywhere",
                    ]
                }, json: \.json)
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a rule: the most that is told of where you are.",
            discussion: """
                Of all rules that fit, the one that tells least holds, and none tells more than the plugin's manifest asks \
                for. The ladder: none, country (its largest town), city (the nearest town), neighbourhood (about a kilometre), \
                street (about a hundred metres), exact. A mechanism stands where its step of the ladder may be told.
                """)
        @Option(
            help:
                "none, country, city, neighbourhood, street, exact, or a mechanism: 'planar-laplace(0.001)', 'snap(stops)'."
        )
        var tell: String
        @Option(help: "What planar-laplace may spend in a day, in ε; ten answers where nothing is said.")
        var budget: Double?
        @Option(help: "Only to this app.", completion: .apps) var app: String?
        @Option(
            help: ArgumentHelp(
                "Only to services of this kind: "
                    + ServiceType.allCases.map(\.rawValue).joined(separator: ", ") + "."))
        var service: String?
        @Option(help: "Only from this time of the day on, HH:MM.") var from: String?
        @Option(help: "Only until this time of the day, HH:MM.") var until: String?
        @Option(help: "Only near this place, LATITUDE,LONGITUDE: home, work, a clinic.") var near: String?
        @Option(help: "How near, in metres.") var within = 500.0
        @OptionGroup var home: HomeOptions

        func run() throws {
            guard let telling = Telling(tell) else {
                throw Self.invalid(
                    "--tell is one of \(Exactness.allCases.map(\.rawValue).joined(separator: ", ")), or a mechanism as "
                        + "planar-laplace(0.001)")
            }
            var rule = LocationRule(id: "", app: app, exactness: telling)
            if let budget {
                guard case .planarLaplace? = telling.mechanism, LocationRule.budgetRange.contains(budget)
                else {
                    throw Self.invalid("--budget belongs to planar-laplace, and is 0.00001 to 100")
                }
                rule.budget = budget
            }
            rule.service = try service.map { try LocationWord.read($0, "--service", help: Self.help) }
            if from != nil || until != nil {
                guard let from = from.flatMap(DayTime.minute), let until = until.flatMap(DayTime.minute),
                    let hours = LocationRule.Hours(from: from, until: until)
                else { throw Self.invalid("--from and --until are two times of the day, HH:MM") }
                rule.hours = hours
            }
            if let near {
                let parts = near.split(separator: ",").map { Double($0) }
                guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
                    let point = Coordinates(latitude: latitude, longitude: longitude),
                    let circle = LocationRule.Circle(point, metres: within)
                else { throw Self.invalid("--near is LATITUDE,LONGITUDE, and --within 1 to 100000 metres") }
                rule.near = circle
            }
            let added = try home.open().addLocationRule(rule)
            Console.say("rule \(added.id): at most \(added.exactness.words)")
        }

        private static let help = "escrow location rule add --help"

        private static func invalid(_ why: String) -> Diagnostic {
            Diagnostic(.locationRuleInvalid, why, help: help)
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a rule: more may be told then.")
        @Argument(help: "The rule's number, as `escrow location rule list` has it.") var id: String
        @OptionGroup var home: HomeOptions

        func run() throws {
            try home.open().removeLocationRule(id)
            Console.say("rule \(id) is removed")
        }
    }
}

/// Times of the day as people write them.
private enum DayTime {
    static func minute(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = Int(parts[0]),
            let minute = Int(parts[1]), (0..<24).contains(hour), (0..<60).contains(minute)
        else { return nil }
        return hour * 60 + minute
    }

    static func text(_ minute: Int) -> String {
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }
}

/// Words of options that have a few.
package enum LocationWord {
    /// Reads one; `none` is none of them.
    package static func read<Word: RawRepresentable & CaseIterable>(
        _ text: String, _ option: String, help: String
    ) throws(Diagnostic) -> Word where Word.RawValue == String {
        guard let word = Word(rawValue: text), text != "none" else {
            let words = Word.allCases.map(\.rawValue).filter { $0 != "none" }.joined(separator: ", ")
            throw Diagnostic(.locationRuleInvalid, "\(option) is one of \(words)", help: help)
        }
        return word
    }
}
