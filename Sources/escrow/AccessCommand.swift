import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import EscrowHost
import EscrowMinimisation
import EscrowRelational
import EscrowTabular

struct AccessCommand: Paged {
    static let configuration = CommandConfiguration(
        commandName: "access",
        abstract: "Print the rows of a query over your own data, or how it reads them.",
        discussion: """
            For you, the owner: no plugin runs and nothing leaves this terminal. In CSV cells are written as they are: a \
            spreadsheet takes those that begin with = + - @ for formulas.
            """)

    @Argument(help: "One SELECT over the tables of escrow schema.") var sql: String
    @Option(help: "How to print: table, json, ndjson, csv or line.") var format: RowFormat = .table
    @Flag(help: "Print how it would be read, and read nothing.") var plan = false
    @Flag(help: "Read, and print what was read and how in place of the rows.") var explain = false
    /// What is the default now had to be asked for once.
    @Flag(help: .hidden) var rows = false
    @Option(name: .customLong("param"), help: "A value for :NAME in the query, NAME=VALUE; may be repeated.")
    var parameters: [String] = []
    @Option(
        help: "Serve data more coarsely, for example 'round(Location.latitude, 1)'; may be repeated.")
    var coarser: [String] = []
    @OptionGroup var paging: PagingOptions
    @OptionGroup var engine: EngineOptions
    @OptionGroup var home: HomeOptions

    func run() throws {
        let access = try home.open().ownerAccess(
            sql: sql, bindings: try Parameters.bindings(parameters),
            coarser: try Minimisation(parsing: coarser), engine: engine.engine)
        let printsRows = rows || !(plan || explain)
        try Self.read(access, format: printsRows ? format : nil, isPlan: plan)
        guard plan || explain else { return }
        let explanation = access.explanation
        let delivered = plan ? nil : access.delivered.rows
        if format == .json {
            Console.data(explanation.json(delivered: delivered))
        } else {
            explanation.lines(delivered: delivered).forEach(Console.data)
        }
    }

    /// Reads all rows, and prints them where there is a format.
    static func read(_ access: Access, format: RowFormat?, isPlan: Bool = false) throws(Diagnostic) {
        guard !isPlan else { return }
        var printer = format.map { RowPrinter($0, columns: access.columns.map(\.name)) }
        while !Pager.isLeft, let batch = try access.next(maxRows: 2_048, maxBytes: 1 << 20) {
            printer?.add(batch)
        }
        printer?.finish()
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

    /// Values of a plugin's parameters, by name.
    static func values(_ arguments: [String]) throws(Diagnostic) -> [String: String] {
        var values: [String: String] = [:]
        for argument in arguments {
            let (name, value) = try split(argument)
            values[name] = value
        }
        return values
    }

    /// Values as SQL binds them. Text that spells a number binds as one: SQL compares 7 and '7' differently.
    static func bindings(_ arguments: [String]) throws(Diagnostic) -> [String: Cell] {
        var bindings: [String: Cell] = [:]
        for (name, value) in try values(arguments) {
            bindings[name] = Int64(value).map(Cell.integer) ?? Double(value).map(Cell.real) ?? .text(value)
        }
        return bindings
    }
}
