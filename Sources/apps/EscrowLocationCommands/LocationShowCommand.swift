package import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import EscrowLocation
import EscrowLocationPrivacy

package struct LocationShowCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what masks make of your last places: nothing is sent.",
        discussion: """
            Without --mechanism: each step of the ladder that rules and manifests speak of, a mechanism of each kind, and the \
            nearest of each of your lists of places.
            """)
    @Option(help: "As this app would be told.") var app = "org.example.app"
    @Option(help: "How many of your last places.") var last = 5
    @Option(name: .customLong("mechanism"), help: "A mechanism, as 'donut(100, 500)'; may be repeated.")
    var mechanisms: [String] = []
    @Option(help: "Also draw it into this file, as SVG.") var svg: String?
    @OptionGroup var home: HomeOptions
    @OptionGroup var format: FormatOptions

    package init() {}

    package func run() throws {
        let host = try home.open()
        let places = try host.ownPlaces(max(1, min(last, 1_000))).map(\.place)
        guard !places.isEmpty else {
            return Console.say("no place of yours is known: escrow source add location PATH")
        }
        var lists: [String: PlaceList] = [:]
        let asked = try mechanisms.map(Self.telling)
        let named =
            try asked.isEmpty
            ? host.location.lists().map { Telling(Mechanism.snap(list: $0.name)) } : asked
        for telling in named { lists.merge(try host.location.lists(for: telling)) { $1 } }
        let preview = LocationPreview(
            key: try host.location.masks(of: app).key, gazetteer: try GazetteerFile.load(), lists: lists)
        let masks = (asked.isEmpty ? preview.all : asked).map { preview.rows(of: places, as: $0) }
        // Who asks for one mechanism asks for its answer; in the whole table it is one row of many.
        if !asked.isEmpty, let refusal = masks.joined().compactMap(\.refusal).first {
            throw refusal.diagnostic
        }
        if let svg { try drawing(Array(masks.joined())).save(to: svg) }
        if format.isJSON {
            return Console.data(["places": .array(masks.joined().map(json))])
        }
        Console.table(
            ["mask", "told", "places", "m away", "who is told learns", "people there"],
            masks.flatMap { table($0, of: places.count) })
    }

    private static func telling(_ text: String) throws(Diagnostic) -> Telling {
        do throws(Mechanism.SpellingError) { return Telling(try Mechanism(text)) } catch {
            throw Diagnostic(
                .mechanismUnknown, "this names no mechanism: \(error.why)",
                help: "there are: \(Mechanism.forms)")
        }
    }

    /// A row for each answer, with how many of the places are told so: where one answer serves all, all are told alike.
    private func table(_ rows: [LocationPreview.Row], of count: Int) -> [[String]] {
        var answers: [(told: Set<Mask.Masked>, rows: [LocationPreview.Row])] = []
        for row in rows {
            if let index = answers.firstIndex(where: { $0.told == Set(row.told) }) {
                answers[index].rows.append(row)
            } else {
                answers.append((Set(row.told), [row]))
            }
        }
        return answers.map { answer in
            let row = answer.rows[0]
            let metres = answer.rows.compactMap(\.metres).map { Int($0.rounded()) }.sorted()
            let range = Set([metres.first, metres.last].compactMap { $0 }).sorted()
            return [
                row.mask,
                row.told.isEmpty
                    ? "nothing"
                    : row.told.map { "\($0.latitude),\($0.longitude)" }.joined(separator: " or "),
                "\(answer.rows.count) of \(count)", range.map(String.init).joined(separator: " to "),
                row.learns, row.people.map { "about \(Int($0.rounded()))" } ?? "",
            ]
        }
    }

    private func json(_ row: LocationPreview.Row) -> JSONValue {
        [
            "latitude": .real(row.place.latitude), "longitude": .real(row.place.longitude),
            "mask": .string(row.mask),
            "told": .array(
                row.told.map { ["latitude": .string($0.latitude), "longitude": .string($0.longitude)] }),
            "metres": row.metres.map { .real(($0 * 10).rounded() / 10) } ?? .null,
            "learns": .string(row.learns),
            "people": row.people.map { .integer(Int64($0.rounded())) } ?? .null,
        ]
    }

    /// The places in black, what is told of them in colour, a line from each to its own; what is told from afar is left out.
    private func drawing(_ rows: [LocationPreview.Row]) -> MapDrawing {
        var map = MapDrawing(around: rows.map(\.place), margin: 1_500)
        for row in rows {
            map.dot(row.place, "black", title: "a place of yours")
            for (number, told) in row.told.enumerated() {
                let isTrue = number == row.truth
                if isTrue { map.line(row.place, told.coordinates) }
                map.dot(
                    told.coordinates, isTrue ? "crimson" : "gray",
                    title: isTrue ? row.mask : "\(row.mask), a dummy")
            }
        }
        return map
    }
}
