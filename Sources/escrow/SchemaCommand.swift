import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import EscrowJSON
import EscrowSchema
import EscrowSources
import EscrowTabular

struct SchemaCommand: Paged {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Document the tables that access() can query.")

    @Argument(
        help: "A table; without it all are listed.", completion: .tables)
    var table: String?
    @OptionGroup var paging: PagingOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        let specs = SourceRegistry.allSpecs
        guard let table else {
            if format.isJSON {
                Console.data(["tables": .array(specs.map(\.json))])
            } else {
                Console.table(
                    ["table", "source", "columns", "what a row is"],
                    specs.map { [$0.name, $0.sourceKind, String($0.columns.count), $0.summary] })
                Console.say("more: escrow schema TABLE")
            }
            return
        }
        guard let spec = specs.first(where: { $0.name.lowercased() == table.lowercased() }) else {
            throw Diagnostic.noSuchTable(table, among: specs.map(\.name))
        }
        if format.isJSON {
            Console.data(spec.json)
            return
        }
        Console.data("\(spec.name): \(spec.summary)   (source: \(spec.sourceKind))")
        Console.data("")
        Console.table(
            ["column", "type", "null", "cost", "what it means"],
            spec.columns.map {
                [$0.name, $0.type.rawValue, $0.isNullable ? "yes" : "no", $0.cost.rawValue, $0.summary]
            })
        Console.data("")
        Console.data("examples:")
        for example in spec.examples { Console.data("  escrow access \"\(example)\"") }
    }
}

extension CompletionKind {
    /// The tables that there are.
    static var tables: CompletionKind { .list(SourceRegistry.allSpecs.map(\.name)) }
}

extension Diagnostic {
    /// The table that was named is none.
    static func noSuchTable(_ name: String, among names: [String]) -> Diagnostic {
        Diagnostic(
            .noSuchThing, "there is no table of that name",
            notes: ["tables: \(names.joined(separator: ", "))"],
            help: Nearest.name(to: name, among: names).map { "did you mean: escrow schema \($0)" }
                ?? "escrow schema")
    }
}

extension TableSpec {
    /// The table for `--format json`.
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "source": .string(sourceKind), "summary": .string(summary),
            "columns": .array(
                columns.map {
                    [
                        "name": .string($0.name), "type": .string($0.type.rawValue),
                        "nullable": .bool($0.isNullable),
                        "cost": .string($0.cost.rawValue), "summary": .string($0.summary),
                    ]
                }), "examples": .array(examples.map(JSONValue.string)),
        ]
    }
}
