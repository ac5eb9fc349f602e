import ArgumentParser
import CLineEditor
import EscrowConsole
import EscrowDiagnostics
import EscrowHome
import EscrowHost
import EscrowRelational
import EscrowSchema
import EscrowSources
import EscrowTabular
import Glibc

struct SQLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql",
        abstract: "A shell for queries over your own data, with history and completion.",
        discussion: """
            For you, the owner: no plugin runs and nothing leaves this terminal. A query ends with ; and may take several \
            lines. What was typed is kept in sql.history of the escrow home, for you alone. Off a terminal it reads queries \
            from stdin and ends at the first that fails.
            """)
    @Option(help: "How to print: table, json, ndjson, csv or line.") var format: RowFormat = .table
    @OptionGroup var paging: PagingOptions
    @OptionGroup var home: HomeOptions

    func run() throws {
        let host = try home.open()
        let isTerminal = isatty(0) == 1 && isatty(1) == 1
        var shell = SQLShell(host: host, format: format)
        guard isTerminal else {
            while let line = readLine() {
                guard try shell.take(line) else { return }
            }
            return try shell.end()
        }
        Console.say(
            "escrow \(EscrowCommand.configuration.version): .help tells what there is; .quit or Ctrl-D ends")
        let editor = LineEditor(
            words: SQLShell.words, tables: SourceRegistry.allSpecs.count,
            history: host.home.path + "/sql.history")
        while let line = editor.read(shell.isWithin ? "   ...> " : "escrow> ") {
            do {
                Pager.begin(paging)
                defer { Console.endPage() }
                guard try shell.take(line) else { return }
            } catch let failure as Diagnostic {
                Console.report(failure)
            }
        }
        Console.say("")
    }
}

/// What is typed line by line: queries, and commands that begin with a dot.
struct SQLShell {
    private let host: Host
    private var format: RowFormat
    private var typed = ""

    init(host: Host, format: RowFormat) {
        self.host = host
        self.format = format
    }

    /// Whether a query was begun and has no end yet.
    var isWithin: Bool { !typed.isEmpty }

    /// Tables, their columns, commands and the words of SQL that are typed most.
    static var words: [String] {
        let specs = SourceRegistry.allSpecs
        let columns = Set(specs.flatMap { $0.columns.map(\.name) }).sorted()
        return specs.map(\.name) + columns + commands.map(\.name) + [
            "SELECT", "FROM", "WHERE", "ORDER BY", "GROUP BY", "LIMIT", "JOIN", "LIKE", "COUNT", "DISTINCT",
        ]
    }

    private static let commands: [(name: String, help: String)] = [
        (".tables", "the tables that there are"), (".schema", "the columns of a table: .schema Contacts"),
        (".mode", "how rows are printed: .mode table, json, ndjson, csv or line"),
        (".plan", "how a query would be read: .plan SELECT …"), (".help", "this"), (".quit", "ends"),
    ]

    /// Takes a line; false where it was the last.
    mutating func take(_ line: String) throws -> Bool {
        let text = line.trimmed
        if !isWithin, text.hasPrefix(".") { return try command(text) }
        guard isWithin || !text.isEmpty else { return true }
        typed += (typed.isEmpty ? "" : "\n") + line
        guard text.hasSuffix(";") else { return true }
        let sql = String(typed.trimmed.dropLast())
        typed = ""
        try AccessCommand.read(try host.ownerAccess(sql: sql, bindings: [:]), format: format)
        return true
    }

    /// Runs what has no `;` when the input ends.
    mutating func end() throws {
        if !typed.trimmed.isEmpty { _ = try take(";") }
    }

    private mutating func command(_ text: String) throws -> Bool {
        let name = text.prefix { $0 != " " }
        let rest = String(text.dropFirst(name.count)).trimmed
        switch name {
        case ".quit", ".exit": return false
        case ".help": Console.table(["command", "what it does"], Self.commands.map { [$0.name, $0.help] })
        case ".tables":
            Console.table(
                ["table", "what a row is"], SourceRegistry.allSpecs.map { [$0.name, $0.summary] })
        case ".schema":
            guard
                let spec = SourceRegistry.allSpecs.first(where: { $0.name.lowercased() == rest.lowercased() })
            else { throw Diagnostic.noSuchTable(rest, among: SourceRegistry.allSpecs.map(\.name)) }
            Console.table(
                ["column", "type", "what it is"],
                spec.columns.map { [$0.name, $0.type.rawValue, $0.summary] })
        case ".mode":
            guard let format = RowFormat(rawValue: rest) else {
                throw Diagnostic(
                    .noSuchThing, "there is no such way to print",
                    help: ".mode " + RowFormat.allCases.map(\.rawValue).joined(separator: ", "))
            }
            self.format = format
        case ".plan":
            let sql = rest.hasSuffix(";") ? String(rest.dropLast()) : rest
            let access = try host.ownerAccess(sql: sql, bindings: [:])
            access.explanation.lines(delivered: nil).forEach(Console.data)
        default:
            let near = Nearest.name(to: String(name), among: Self.commands.map { $0.name })
            throw Diagnostic(
                .noSuchThing, "there is no such command", help: near.map { "did you mean: \($0)" } ?? ".help")
        }
        return true
    }
}

/// libedit, on this process's terminal.
private final class LineEditor {
    private let history: String
    /// C keeps where they are.
    private let words: UnsafeMutablePointer<UnsafePointer<CChar>?>
    private let count: Int

    /// `tables` of the words, the first, are tables.
    init(words: [String], tables: Int, history: String) {
        self.history = history
        count = words.count
        self.words = .allocate(capacity: words.count)
        for (index, word) in words.enumerated() {
            (self.words + index).initialize(to: UnsafePointer(strdup(word)))
        }
        line_editor_begin(self.words, count, tables)
        line_editor_load(history)
    }

    deinit {
        line_editor_begin(nil, 0, 0)
        for index in 0..<count { free(UnsafeMutablePointer(mutating: words[index])) }
        words.deallocate()
    }

    /// One line; nil at the end.
    func read(_ prompt: String) -> String? {
        guard let typed = line_editor_read(prompt) else { return nil }
        defer { free(typed) }
        let line = String(cString: typed)
        if !line.trimmed.isEmpty { line_editor_keep(line, history, 2_000) }
        return line
    }
}
