import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import EscrowLocation
import EscrowLocationPrivacy
import Glibc

struct LocationSuggestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest",
        abstract: "Find your sensitive places in your own track, and suggest a rule for each.",
        discussion: """
            Where your nights are, your working hours, and where else you stay. Nothing is sent, and no rule is made without your \
            say: on a terminal you are asked about each; elsewhere --add names the numbers.
            """)
    @Option(help: "What a rule tells there: a step of the ladder or a mechanism.") var tell = "city"
    @Option(help: "How near, in metres.") var within = 500.0
    @Option(help: "Make the rules of these numbers, as 1,3.") var add: String?
    @OptionGroup var home: HomeOptions
    @OptionGroup var format: FormatOptions

    /// More of a track says no more of where one stays.
    private static let mostPlaces = 100_000

    func run() throws {
        let host = try home.open()
        guard let telling = Telling(tell) else {
            throw Self.invalid("--tell is a step of the ladder, or a mechanism")
        }
        let rules = try host.location.rules()
        let places = SensitivePlaces(in: try host.ownPlaces(Self.mostPlaces)).places.filter { place in
            // What has a rule of its own needs none.
            !rules.contains { rule in
                rule.app == nil && rule.service == nil && rule.hours == nil
                    && rule.near.map { Ellipsoid.distance($0.centre, place.centre) <= $0.metres } ?? false
            }
        }
        if format.isJSON {
            Console.data(["places": .array(places.enumerated().map { json($0 + 1, $1) })])
        } else if places.isEmpty {
            Console.say("no place is found that has no rule: your track holds no stay of twenty minutes")
        } else {
            Console.table(
                ["number", "place", "what it may be", "days", "hours"],
                places.enumerated().map { index, place in
                    [
                        "\(index + 1)", Self.point(place.centre), Self.words(place.kind), "\(place.days)",
                        "\(Int(place.hours.rounded()))",
                    ]
                })
        }
        for index in try chosen(places) {
            guard let circle = LocationRule.Circle(places[index].centre, metres: within) else {
                throw Self.invalid("--within is 1 to 100000 metres")
            }
            let rule = try host.addLocationRule(LocationRule(id: "", near: circle, exactness: telling))
            Console.say("rule \(rule.id): near \(Self.words(places[index].kind)) at most \(telling.words)")
        }
    }

    /// The numbers that the individual chose.
    private func chosen(_ places: [SensitivePlaces.Place]) throws(Diagnostic) -> [Int] {
        if let add {
            var indices: [Int] = []
            for part in add.split(separator: ",", omittingEmptySubsequences: false) {
                guard let number = Int(part), places.indices.contains(number - 1) else {
                    throw Self.invalid("--add names numbers of the list, as 1,3")
                }
                indices.append(number - 1)
            }
            return indices
        }
        guard !format.isJSON, isatty(0) == 1, isatty(2) == 1 else {
            if !places.isEmpty, !format.isJSON {
                Console.say("make rules of them: escrow location rule suggest --add 1,2 --tell \(tell)")
            }
            return []
        }
        return places.indices.filter { index in
            Console.ask("a rule near number \(index + 1), \(Self.words(places[index].kind))? y/N ")
            return readLine().map { $0 == "y" || $0 == "yes" } ?? false
        }
    }

    private static func words(_ kind: SensitivePlaces.Kind) -> String {
        switch kind {
        case .home: "your home: most of your nights"
        case .work: "your work: most of your working hours"
        case .stay: "a place that you stayed at"
        }
    }

    private static func point(_ place: Coordinates) -> String {
        let rounded = place.rounded(Decimals(latitude: 4, longitude: 4))
        return "\(rounded.latitude),\(rounded.longitude)"
    }

    private func json(_ number: Int, _ place: SensitivePlaces.Place) -> JSONValue {
        [
            "number": .integer(Int64(number)), "kind": .string(place.kind.rawValue),
            "latitude": .real(place.centre.latitude), "longitude": .real(place.centre.longitude),
            "days": .integer(Int64(place.days)), "hours": .real((place.hours * 10).rounded() / 10),
        ]
    }

    private static func invalid(_ why: String) -> Diagnostic {
        Diagnostic(.locationRuleInvalid, why, help: "escrow location rule suggest --help")
    }
}
