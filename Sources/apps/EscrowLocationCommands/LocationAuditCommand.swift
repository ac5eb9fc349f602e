package import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import EscrowLocation
import EscrowLocationPrivacy

package struct LocationAuditCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Attack what was told of your places, and say what it gives away.",
        discussion: """
            An attacker in the box: averaging, the clusters of your nights and working hours, dummies that would have to fly, lie \
            where nobody lives or never come back, apps that pool their answers. What they guess is held against your own track. With --tell: against what would be \
            told of that track.
            """)
    @Option(help: "Only what this app was told.") var app: String?
    @Option(help: "What would be told of your track at this step of the ladder, instead of what was.")
    var tell: String?
    @Option(help: "With --tell: that so many apps are told, and pool what they were told.") var apps = 1
    @Option(help: "Also draw it into this file, as SVG: real, told, and how far off a guess is.")
    var svg: String?
    @OptionGroup var home: HomeOptions
    @OptionGroup var format: FormatOptions

    /// More of a track says no more of where its nights are.
    private static let mostPlaces = 20_000

    package init() {}

    package func run() throws {
        let host = try home.open()
        let gazetteer = try GazetteerFile.load()
        let track = try host.ownPlaces(Self.mostPlaces)
        let audit = LocationAudit(track: track, gazetteer: gazetteer)
        let told = try told(host, audit).filter { app == nil || tell != nil || $0.app == app }
        let findings = audit.findings(told)
        if let svg { try drawing(track.map(\.place), told, findings).save(to: svg) }
        if format.isJSON {
            return Console.data(["findings": .array(findings.map(json))])
        }
        guard !findings.isEmpty else { return Console.say("nothing was told of your places") }
        let rules = try host.location.rules()
        for finding in findings { show(finding, rules) }
    }

    private func told(_ host: Host, _ audit: LocationAudit) throws -> [LocationAudit.Told] {
        guard let tell else { return try host.ledgerReader().toldPlaces() }
        guard let telling = Telling(tell) else {
            let words = Exactness.allCases.map(\.rawValue).joined(separator: ", ")
            throw Diagnostic(
                .locationRuleInvalid, "--tell is one of \(words)", help: "escrow location audit --help")
        }
        let lists = try host.location.lists(for: telling)
        var told: [LocationAudit.Told] = []
        for number in 1...max(1, min(apps, 50)) {
            let name = (app ?? "org.example.app") + (number == 1 ? "" : ".\(number)")
            let key = try host.location.masks(of: name).key
            var budget: Double?
            if case .planarLaplace(let epsilon)? = telling.mechanism {
                budget = epsilon * PredictiveTrace.answersADay
            }
            do throws(Mask.Refusal) {
                told += try audit.told(of: telling, app: name, key: key, lists: lists, budget: budget)
            } catch { throw error.diagnostic }
        }
        return told
    }

    private func show(_ finding: LocationAudit.Finding, _ rules: [LocationRule]) {
        Console.data(finding.app ?? "all apps together")
        Console.data(
            "  told       \(finding.places) places and \(finding.dummies) dummies, at most \(finding.exactness.words)"
        )
        if finding.anchors.isEmpty {
            Console.data("  anchors    none can be guessed, or your track does not say where they are")
        }
        for item in finding.anchors {
            Console.data(
                "  \(item.anchor.rawValue)       found within \(Self.whole(item.metres)) m; about "
                    + "\(Self.tenth(item.bits)) bits still hide you there")
        }
        if let averaging = finding.averaging {
            Console.data(
                "  averaging  one answer is \(Self.whole(averaging.one)) m from home, the middle of all "
                    + "\(Self.whole(averaging.all)) m")
        }
        if let left = finding.dummiesLeft {
            let nights = left.byNights.map { ", in every night \(Self.tenth($0))" } ?? ""
            Console.data(
                "  dummies    points a time that may be you: by speed \(Self.tenth(left.bySpeed)), by where people live "
                    + "\(Self.tenth(left.byPlace)), by history \(Self.tenth(left.byHistory))\(nights)")
        }
        if let company = finding.company {
            Console.data(
                "  company    about \(Self.whole(company.people)) people could be told the last answer, in "
                    + "\(company.towns.distinct) towns (as good as \(Self.tenth(company.towns.effective))); "
                    + "closeness \(Self.tenth(company.closeness))")
        }
        if let day = finding.day {
            Console.data(
                "  the day    told \(Self.whole(day.told)) m off; matched to your ways \(Self.whole(day.matched)) m; "
                    + "about \(Self.tenth(day.bits)) bits")
        }
        if let found = finding.intersection {
            Console.data(
                "  intersect  all answers of nights leave \(Self.tenth(found.squareKilometres)) km², home "
                    + "\(Self.whole(found.metres)) m from its middle; about \(Self.tenth(found.bits)) bits")
        }
        if let advice = finding.advice {
            for rule in rules
            where (rule.app == nil || rule.app == finding.app) && rule.exactness.step == finding.exactness {
                Console.data("  loose      rule \(rule.id) tells \(rule.exactness.words)")
            }
            let app = finding.app.map { "--app \($0) " } ?? ""
            Console.data("  tighten    escrow location rule add \(app)--tell \(advice.rawValue)")
        }
    }

    private static func whole(_ value: Double) -> String { String(Int(value.rounded())) }
    private static func tenth(_ value: Double) -> String { String((value * 10).rounded() / 10) }

    private func json(_ finding: LocationAudit.Finding) -> JSONValue {
        [
            "app": finding.app.map(JSONValue.string) ?? .null, "places": .integer(Int64(finding.places)),
            "dummies": .integer(Int64(finding.dummies)), "tells": .string(finding.exactness.rawValue),
            "anchors": .array(
                finding.anchors.map {
                    [
                        "anchor": .string($0.anchor.rawValue),
                        "metres": .real(($0.metres * 10).rounded() / 10),
                        "bits": .real(($0.bits * 10).rounded() / 10),
                    ]
                }),
            "averaging": finding.averaging.map {
                ["one": .real($0.one.rounded()), "all": .real($0.all.rounded())]
            } ?? .null,
            "day": finding.day.map {
                [
                    "told": .real($0.told.rounded()), "matched": .real($0.matched.rounded()),
                    "bits": .real(($0.bits * 10).rounded() / 10),
                ]
            } ?? .null,
            "intersection": finding.intersection.map {
                [
                    "metres": .real($0.metres.rounded()),
                    "squareKilometres": .real(($0.squareKilometres * 1_000).rounded() / 1_000),
                    "bits": .real(($0.bits * 10).rounded() / 10),
                ]
            } ?? .null,
            "plausible": finding.dummiesLeft.map { .real($0.bySpeed) } ?? .null,
            "dummiesLeft": finding.dummiesLeft.map {
                [
                    "bySpeed": .real($0.bySpeed), "byPlace": .real($0.byPlace),
                    "byHistory": .real($0.byHistory), "byNights": $0.byNights.map(JSONValue.real) ?? .null,
                ]
            } ?? .null,
            "company": finding.company.map {
                [
                    "people": .real($0.people.rounded()), "towns": .integer(Int64($0.towns.distinct)),
                    "effectiveTowns": .real(($0.towns.effective * 10).rounded() / 10),
                    "closeness": .real(($0.closeness * 100).rounded() / 100),
                ]
            } ?? .null,
            "tighten": finding.advice.map { .string($0.rawValue) } ?? .null,
        ]
    }

    private func drawing(
        _ track: [Coordinates], _ told: [LocationAudit.Told], _ findings: [LocationAudit.Finding]
    ) -> MapDrawing {
        var map = MapDrawing(around: track, margin: 2_000)
        for place in Set(track) { map.dot(place, "black", title: "real") }
        for (point, isDummy) in Set(told.map { Pair($0.place.place, $0.isDummy) }).map({
            ($0.point, $0.isDummy)
        }) {
            map.dot(point, isDummy ? "gray" : "crimson", title: isDummy ? "a dummy" : "told")
        }
        for item in findings.last?.anchors ?? [] { map.circle(item.guess, metres: item.metres, "crimson") }
        return map
    }

    private struct Pair: Hashable {
        let point: Coordinates
        let isDummy: Bool

        init(_ point: Coordinates, _ isDummy: Bool) {
            self.point = point
            self.isDummy = isDummy
        }
    }
}
