import ArgumentParser
import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import EscrowLocation
import EscrowLocationPrivacy

struct LocationShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what masks make of your last places: nothing is sent.",
        discussion: "Without --mechanism: each step of the ladder that rules and manifests speak of.")
    @Option(help: "As this app would be told.") var app = "org.example.app"
    @Option(help: "How many of your last places.") var last = 5
    @Option(name: .customLong("mechanism"), help: "A mechanism, as 'donut(100, 500)'; may be repeated.")
    var mechanisms: [String] = []
    @Option(help: "Also draw it into this file, as SVG.") var svg: String?
    @OptionGroup var home: HomeOptions
    @OptionGroup var format: FormatOptions

    /// One place under one mask.
    private struct Row {
        let place: Coordinates
        let mask: String
        let told: [Mask.Masked]
        let truth: Int
        var metres: Double? {
            told.indices.contains(truth) ? Ellipsoid.distance(place, told[truth].coordinates) : nil
        }
    }

    func run() throws {
        let host = try home.open()
        let places = try host.ownPlaces(max(1, min(last, 1_000))).map(\.place)
        guard !places.isEmpty else {
            return Console.say("no place of yours is known: escrow source add location PATH")
        }
        let key = try host.location.masks(of: app).key
        let gazetteer = try GazetteerFile.load()
        var rows: [Row] = []
        for place in places { rows += try self.rows(place, key, gazetteer) }
        if let svg { try drawing(rows).save(to: svg) }
        if format.isJSON {
            return Console.data(["places": .array(rows.map(json))])
        }
        Console.table(
            ["place", "mask", "told", "m away"],
            rows.map { row in
                [
                    "\(row.place.latitude),\(row.place.longitude)", row.mask,
                    row.told.isEmpty
                        ? "nothing"
                        : row.told.map { "\($0.latitude),\($0.longitude)" }.joined(separator: " or "),
                    row.metres.map { String(Int($0.rounded())) } ?? "",
                ]
            })
    }

    private func rows(
        _ place: Coordinates, _ key: MaskKey, _ gazetteer: Gazetteer
    ) throws -> [Row] {
        var generator = SystemRandomNumberGenerator()
        guard mechanisms.isEmpty else {
            return try mechanisms.map { text in
                let mechanism: Mechanism
                do throws(Mechanism.SpellingError) { mechanism = try Mechanism(text) } catch {
                    throw Diagnostic(
                        .mechanismUnknown, "this names no mechanism: \(error.why)",
                        help: "there are: \(Mechanism.forms)")
                }
                do throws(Mask.Refusal) {
                    let mask = try Mask(mechanism, key: key, gazetteer: gazetteer)
                    return Row(place: place, mask: text, told: [try mask.apply(to: place)], truth: 0)
                } catch { throw error.diagnostic }
            }
        }
        return try Exactness.allCases.map { exactness in
            do throws(Mask.Refusal) {
                let told = try Disclosure(
                    of: place, as: Telling(exactness), key: key, gazetteer: gazetteer, using: &generator)
                return Row(
                    place: place, mask: exactness.rawValue, told: told?.points ?? [], truth: told?.truth ?? 0)
            } catch { throw error.diagnostic }
        }
    }

    private func json(_ row: Row) -> JSONValue {
        [
            "latitude": .real(row.place.latitude), "longitude": .real(row.place.longitude),
            "mask": .string(row.mask),
            "told": .array(
                row.told.map { ["latitude": .string($0.latitude), "longitude": .string($0.longitude)] }),
            "metres": row.metres.map { .real(($0 * 10).rounded() / 10) } ?? .null,
        ]
    }

    /// The places in black, what is told of them in colour, a line from each to its own; what is told from afar is left out.
    private func drawing(_ rows: [Row]) -> MapDrawing {
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
