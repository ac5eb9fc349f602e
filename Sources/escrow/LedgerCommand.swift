import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import EscrowHome
import EscrowHost
import EscrowJSON
import EscrowLedger

struct LedgerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger", abstract: "Look up what happened: every decision and every dataflow.",
        subcommands: [
            List.self, Days.self, Show.self, Why.self, Who.self, Receipt.self, Verify.self, Prove.self,
            Erase.self,
            Tidy.self, Export.self, Repair.self,
        ])

    struct List: Paged {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the latest entries.")
        @Option(help: "How many entries.") var last = 50
        @Option(name: .customLong("run"), help: "Only entries of this run.") var runID: String?
        @OptionGroup var paging: PagingOptions
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let reader = try home.ledger()
            var entries: [LedgerEntry] = []
            if let runID {
                entries = try reader.entries(of: runID)
            } else {
                entries = try reader.latest(last)
            }
            format.list(
                entries, as: "entries", ["no", "time", "what", "run", "details"],
                row: { [String($0.sequence), "\($0.time)", $0.kind.rawValue, $0.run ?? "", $0.summary] },
                json: \.json)
        }
    }

    struct Show: Paged {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show one entry, or all of one run.")
        @Argument(help: "The number of an entry, the id of a run, or last.") var which: String
        @OptionGroup var paging: PagingOptions
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let reader = try home.ledger()
            var found: [LedgerEntry] = []
            if which == "last" {
                found = try reader.latest(1)
                // The last entry is mostly the end of a run, of which the individual wants to see the whole.
                if let run = found.first?.run { found = try reader.entries(of: run) }
            } else if let number = UInt64(which) {
                found = try reader.entries(from: max(1, number), limit: 1).filter { $0.sequence == number }
            } else {
                found = try reader.entries(of: which)
            }
            guard !found.isEmpty else {
                throw Diagnostic.noSuchEntry
            }
            if format.isJSON {
                Console.data(["entries": .array(found.map(\.json))])
                return
            }
            for entry in found {
                Console.data(
                    "\(entry.sequence)  \(entry.time)  \(entry.kind.rawValue)\(entry.run.map { "  " + $0 } ?? "")"
                )
                if let reduced = entry.reduced {
                    Console.data("    \(reduced.way.rawValue) by entry \(reduced.by)")
                }
                for member in entry.fields.members ?? [] {
                    Console.data("    \(member.name)  \(Console.printable(ledgerText(member.value)))")
                }
            }
        }
    }
}

/// A value of a record in words.
func ledgerText(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .array(let items): items.map(ledgerText).joined(separator: ", ")
    case .object(let members):
        members.map { member in
            if case .array(let items) = member.value {
                "\(member.name) (\(items.map(ledgerText).joined(separator: ", ")))"
            } else {
                "\(member.name) \(ledgerText(member.value))"
            }
        }.joined(separator: ", ")
    default: String(decoding: JSONWriter.line(value), as: UTF8.self)
    }
}

extension LedgerEntry {
    /// The entry for `--format json`.
    var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("sequence", .integer(Int64(sequence))), ("time", .string("\(time)")),
            ("kind", .string(kind.rawValue)),
        ]
        if let run { members.append(("run", .string(run))) }
        members += [("fields", fields), ("commitment", .string(commitment))]
        if let reduced {
            members.append((reduced.way.rawValue, .integer(Int64(clamping: reduced.by))))
        }
        return .object(members)
    }

    /// The fields that matter most, on one line.
    fileprivate var summary: String {
        if reduced?.way == .erased { return "erased" }
        let names = [
            "app", "plugin", "version", "outcome", "rows", "resultBytes", "code", "reason", "whenMs",
            "answer", "rules",
            "action", "source", "id", "pattern", "key", "from", "to", "what", "entries", "through",
        ]
        return names.compactMap { name in fields[name].map { "\(name) \(ledgerText($0))" } }.joined(
            separator: ", ")
    }
}

extension LedgerReader {
    /// All entries of a run.
    func entries(of run: String) throws(Diagnostic) -> [LedgerEntry] {
        var found: [LedgerEntry] = []
        try forEach { (entry) throws(Diagnostic) in
            if entry.run == run { found.append(entry) }
            return true
        }
        return found
    }
}

extension HomeOptions {
    /// Reads the ledger alone: it can be looked at where it is too damaged for anything to run.
    func ledger() throws(Diagnostic) -> LedgerReader { try Home.open(at: try location()).ledgerReader() }
}

extension Diagnostic {
    /// Nothing in the ledger is called so.
    static var noSuchEntry: Diagnostic {
        Diagnostic(.noSuchThing, "the ledger has no such entry or run", help: "escrow ledger list")
    }
}
