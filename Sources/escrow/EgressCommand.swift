import ArgumentParser
import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowHome
import EscrowHost
import EscrowJSON

struct EgressCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "egress", abstract: "See what was sent to the network, byte for byte.",
        subcommands: [List.self, Show.self, Export.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List where requests went: by endpoint and app, or each by itself.")
        @Flag(help: "Each request by itself, with its id.") var each = false
        @Option(name: .customLong("run"), help: "Only requests of this run.") var runID: String?
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let records = try home.open().ledgerReader().egressRecords()
                .filter { runID == nil || $0.run == runID }
            if each {
                list(records)
            } else {
                sum(records)
            }
        }

        private func list(_ records: [EgressRecord]) {
            format.list(
                records, as: "requests", none: "nothing was sent",
                ["id", "time", "app", "plugin", "endpoint", "sent", "received", "outcome"],
                row: {
                    [
                        $0.id ?? "\($0.run)", "\($0.time)", $0.text("app"), $0.text("plugin"),
                        $0.endpoint, String($0.bytesOut), String($0.bytesIn), $0.outcome,
                    ]
                }, json: \.json)
        }

        /// Requests of one app to one endpoint of one plugin.
        private struct Sum {
            var app: String
            var plugin: String
            var endpoint: String
            var place = ""
            var calls = 0
            var refused = 0
            var sent = 0
            var received = 0
            var last = ""
        }

        private func sum(_ records: [EgressRecord]) {
            var sums: [Sum] = []
            for record in records {
                let app = record.text("app")
                let plugin = record.text("plugin")
                let endpoint = record.endpoint
                let known = sums.firstIndex {
                    $0.app == app && $0.plugin == plugin && $0.endpoint == endpoint
                }
                let index = known ?? sums.count
                if known == nil { sums.append(Sum(app: app, plugin: plugin, endpoint: endpoint)) }
                if record.id == nil { sums[index].refused += 1 } else { sums[index].calls += 1 }
                if record.id != nil {
                    sums[index].place = String(
                        record.text("url").dropFirst("https://".count).prefix { $0 != "/" })
                }
                sums[index].sent += record.bytesOut
                sums[index].received += record.bytesIn
                sums[index].last = "\(record.time)"
            }
            format.list(
                sums, as: "endpoints", none: "nothing was sent",
                ["endpoint", "to", "plugin", "app", "calls", "refused", "sent", "received", "last"]
            ) {
                [
                    $0.endpoint, $0.place, $0.plugin, $0.app, String($0.calls), String($0.refused),
                    String($0.sent), String($0.received), $0.last,
                ]
            } json: {
                [
                    "endpoint": .string($0.endpoint), "host": .string($0.place),
                    "plugin": .string($0.plugin), "app": .string($0.app),
                    "calls": .integer(Int64($0.calls)), "refused": .integer(Int64($0.refused)),
                    "bytesSent": .integer(Int64($0.sent)),
                    "bytesReceived": .integer(Int64($0.received)), "last": .string($0.last),
                ]
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show one request: every value in it, and the columns it came from.")
        @Argument(help: "The request's id, r-7f3a.1; or of a run, r-7f3a, for those that were not sent.")
        var id: String
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let records = try home.open().ledgerReader().egressRecords()
            guard let record = records.first(where: { $0.id == id }) else {
                // `list --each` names a request that was not sent by its run.
                let refused = records.filter { $0.id == nil && $0.run == id }
                guard refused.isEmpty else { return show(refused) }
                throw Diagnostic(
                    .noSuchThing, "the ledger has no such request", help: "escrow egress list --each")
            }
            if format.isJSON { return Console.data(record.json) }
            Console.data("\(id)  \(record.time)  \(record.outcome)")
            Console.data(
                "  asked by   \(record.text("plugin")) for \(record.text("app")), in the run \(record.run)")
            Console.data("  to         \(record.text("why"))")
            let isStandIn = record.sent["standIn"]?.bool == true
            Console.data(
                "  address    \(record.text("address"))\(isStandIn ? ", a stand-in of config.json" : "")")
            Console.data("  sent       \(record.bytesOut) bytes, sha256 \(record.text("sha256"))")
            if let count = record.sent["together"]?.integer, count > 1 {
                Console.data("  together   one of \(count) requests that left in one go")
            }
            if let place = record.sent["place"], place["dummy"]?.bool == true {
                Console.data(
                    "  dummy      one of \(place["of"]?.integer ?? 0) requests, of which another tells your place"
                )
            }
            Console.data("")
            Console.data("    \(record.text("method")) \(record.text("url"))")
            for header in record.sent["headers"]?.array ?? [] {
                Console.data("    \(header["name"]?.string ?? ""): \(header["value"]?.string ?? "")")
            }
            if let body = record.sent["body"]?.string {
                Console.data("")
                Console.data("    \(body)")
            }
            Console.data("")
            for field in record.sent["fields"]?.array ?? [] {
                let columns = (field["derivedFrom"]?.array ?? []).compactMap(\.string)
                // Where a plugin took a value from nobody sees: it is the publisher's word, and says so.
                let part = field["place"]?.string
                let source =
                    part.map {
                        "the \($0) of your place, as escrow tells it: \(record.sent["place"]?["tells"]?.string ?? "")"
                    }
                    ?? (field["constant"]?.bool == true
                        ? "the same in every request"
                        : columns.isEmpty
                            ? "the publisher says not from your data"
                            : "the publisher says from \(columns.joined(separator: ", "))")
                Console.data(
                    "  \(field["name"]?.string ?? "") = \(field["value"]?.string ?? "")  (\(source))")
            }
            if let end = record.end, let reason = end["reason"]?.string {
                Console.data("  \(reason)")
            } else if record.end?["status"] != nil {
                let removed = record.end?["removed"]?.integer ?? 0
                let without =
                    removed > 0 ? ", without \(removed) members that the manifest does not name" : ""
                Console.data(
                    "  answered   \(record.bytesIn) bytes of \(record.end?["mediaType"]?.string ?? "")\(without)"
                )
                // They are the server's words.
                for (word, member) in [("left out", "removedNames"), ("headers", "droppedHeaders")] {
                    let names = (record.end?[member]?.array ?? []).compactMap(\.string)
                    guard !names.isEmpty else { continue }
                    let shown = PlainText.neutral(names.joined(separator: ", "), longest: 700)
                    Console.data(
                        "  \(word)\(String(repeating: " ", count: 11 - word.count))kept from the plugin: \(shown)"
                    )
                }
            }
        }

        /// Requests of a run that were not sent: why not is all there is of them.
        private func show(_ refused: [EgressRecord]) {
            if format.isJSON { return Console.data(["requests": .array(refused.map(\.json))]) }
            for record in refused {
                Console.data("\(record.run)  \(record.time)  \(record.outcome)")
                Console.data("  asked by   \(record.text("plugin")) for \(record.text("app"))")
                Console.data("  \(record.text("reason"))")
            }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write all requests that were sent as an HTTP Archive (HAR 1.2) to stdout.")
        @Option(name: .customLong("run"), help: "Only requests of this run.") var runID: String?
        @OptionGroup var home: HomeOptions

        func run() throws {
            let records = try home.open().ledgerReader().egressRecords()
                .filter { runID == nil || $0.run == runID }
            Console.data(HAR.document(records, version: EscrowCommand.configuration.version))
        }
    }
}
