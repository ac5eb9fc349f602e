package import ArgumentParser
import EscrowConsole
import EscrowHost
import EscrowJSON
import EscrowLocation

package struct LocationPlacesCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "places",
        abstract: "Lists of places that you can be told to be at instead: shops, stops, whatever you have.",
        subcommands: [List.self, Add.self, Remove.self], defaultSubcommand: List.self)

    package init() {}

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the lists, and how far their places lie apart.")
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            format.list(
                try home.open().location.lists(), as: "lists",
                none: "no list but towns: escrow location places add NAME FILE",
                ["name", "places", "m apart"],
                row: { [$0.name, "\($0.places)", "\(Int($0.apart.rounded()))"] }, json: \.json)
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a list of places from a file, or replace one.",
            discussion: """
                Waypoints of GPX, placemarks of KML, points of GeoJSON, or a table whose first line names latitude and longitude, as \
                stops.txt of a timetable does. Then: escrow location rule add --tell "snap(NAME)".
                """)
        @Argument(help: "Its name, in lower-case letters and hyphens.") var name: String
        @Argument(help: "The file.", completion: .file()) var file: String
        @Option(
            help: """
                Places nearer to each other than so many metres are one: 100 is told as a street may be, 1000 as a neighbourhood, \
                10000 as a city.
                """)
        var apart = 200.0
        @OptionGroup var home: HomeOptions

        func run() throws {
            let (list, leftOut) = try home.open().addPlaceList(name, from: file, apart: apart)
            let rest = leftOut == 0 ? "" : "; \(leftOut) entries of the file have no valid place"
            Console.say("\(list.name): \(list.places) places, \(Int(list.apart.rounded())) m apart\(rest)")
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a list that no rule tells from.")
        @Argument(help: "Its name.") var name: String
        @OptionGroup var home: HomeOptions

        func run() throws {
            try home.open().removePlaceList(name)
            Console.say("the list \(name) is removed")
        }
    }
}
