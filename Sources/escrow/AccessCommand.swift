import ArgumentParser
import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import EscrowMinimisation
import EscrowRelational
import EscrowSchema
import EscrowTabular

struct AccessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access",
        abstract:
            "Look at what a query reads: tables, columns, what reached the source, estimated and actual rows.",
        discussion: """
            For you, the owner: no plugin runs and nothing leaves this terminal. --explain (the default) reads the data \
            and prints figures only; --rows prints the rows.
            """)

    @Argument(help: "One SELECT over the tables of escrow schema.") var sql: String
    @Flag(help: "Print what was read and how (the default).") var explain = false
    @Flag(help: "Print the rows.") var rows = false
    @Flag(help: "With --explain: only plan, read no data.") var dryRun = false
    @Option(name: .customLong("param"), help: "A value for :NAME in the query, NAME=VALUE; may be repeated.")
    var parameters: [String] = []
    @Option(
        help: "Serve data more coarsely, for example 'round(Location.latitude, 1)'; may be repeated.")
    var coarser: [String] = []
    @OptionGroup var engine: EngineOptions
    @OptionGroup var home: HomeOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        let host = try home.open()
        let bindings = try Parameters.bindings(parameters)
        let access = try host.ownerAccess(
            sql: sql, bindings: bindings, coarser: try Minimisation(parsing: coarser),
            engine: engine.engine)
        var printer = RowPrinter(isJSON: format.isJSON)
        if !dryRun {
            while let batch = try access.next(maxRows: 2_048, maxBytes: 1 << 20) {
                if rows { printer.add(batch) }
            }
        }
        if rows { printer.finish(columns: access.columns.map(\.name)) }
        guard explain || !rows else { return }
        let explanation = access.explanation
        if format.isJSON {
            Console.data(explanation.json(delivered: access.delivered.rows))
        } else {
            explanation.lines(delivered: access.delivered.rows).forEach(Console.data)
        }
    }
}

/// `NAME=VALUE` arguments.
enum Parameters {
    /// Splits one argument.
    static func split(_ argument: String) throws(Diagnostic) -> (name: String, value: String) {
        guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else {
            throw Diagnostic(
                .parameterSyntax, "a parameter is NAME=VALUE", help: "for example: --param count=3")
        }
        return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
    }

    /// Values as SQL binds them. Text that spells a number binds as one: SQL compares 7 and '7' differently.
    static func bindings(_ arguments: [String]) throws(Diagnostic) -> [String: Cell] {
        var bindings: [String: Cell] = [:]
        for argument in arguments {
            let (name, value) = try split(argument)
            bindings[name] = Int64(value).map(Cell.integer) ?? Double(value).map(Cell.real) ?? .text(value)
        }
        return bindings
    }
}

/// Prints rows for the owner: a table in blocks whose columns line up, or one JSON array a line.
private struct RowPrinter {
    let isJSON: Bool
    private var pending: [[String]] = []
    private var printed = 0

    init(isJSON: Bool) { self.isJSON = isJSON }

    mutating func add(_ batch: Batch) {
        for row in 0..<batch.rowCount {
            let cells = batch.schema.fields.indices.map { column -> Cell in
                // A moment as SQL has it, not as the batch counts it.
                guard batch.schema.fields[column].type == .timestamp else {
                    return batch.cell(row: row, column: column)
                }
                return batch.timestamp(row: row, column: column).map { Cell.text($0.iso8601) } ?? .null
            }
            if isJSON {
                Console.line(.array(cells.map(\.json)))
            } else {
                pending.append(cells.map(\.words))
            }
            printed += 1
        }
        // A table is laid out block by block, so that memory does not grow with its length.
        if pending.count >= 2_048 { flush(batch.schema.fields.map(\.name)) }
    }

    mutating func finish(columns: [String]) {
        guard !isJSON else { return }
        if !pending.isEmpty || printed == 0 { flush(columns) }
    }

    private mutating func flush(_ columns: [String]) {
        Console.table(columns, pending)
        pending.removeAll()
    }
}

extension Cell {
    /// The value for `--format json`; bytes as `{"b64": …}` would be of no use to a reader, so their number stands.
    fileprivate var json: JSONValue {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let value): .string(value)
        case .blob(let bytes): ["bytes": .integer(Int64(bytes.count))]
        }
    }

    fileprivate var words: String {
        switch self {
        case .null: ""
        case .integer(let value): String(value)
        case .real(let value): value.description
        case .text(let value): value
        case .blob(let bytes): "(\(bytes.count) bytes)"
        }
    }
}
