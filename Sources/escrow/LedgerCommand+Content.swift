import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import EscrowHome
import EscrowHost
import EscrowJSON
import EscrowLedger
import EscrowSchema
import EscrowSources

extension LedgerCommand {
    struct Erase: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "erase",
            abstract: "Erase the content of entries for good.",
            discussion: """
                Place, time, kind and run remain, with a commitment that says nothing about what it was; the ledger still \
                verifies, and says that they were erased.
                """)
        @Argument(help: "Numbers of entries, or ids of runs.") var entries: [String]
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let host = try home.open()
            var numbers = SequenceSet()
            for word in entries {
                if let number = UInt64(word) {
                    numbers.insert(number)
                    continue
                }
                let found = try host.ledgerReader().entries(of: word)
                guard !found.isEmpty else { throw Diagnostic.noSuchEntry }
                for entry in found { numbers.insert(entry.sequence) }
            }
            let entry = try host.erase(numbers)
            if format.isJSON {
                Console.data(["entries": .array([entry.json])])
            } else {
                let count = numbers.count
                Console.data(
                    "erased the content of \(count) \(count == 1 ? "entry" : "entries"); "
                        + "entry \(entry.sequence) of the ledger says so")
            }
        }
    }

    struct Tidy: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tidy",
            abstract: "Let go of what is older or more than config.json lets the ledger keep.",
            discussion: """
                Its members: ledger.keepDays, ledger.maxMiB, ledger.hoursAfterDays, ledger.daysAfterDays. The host does it by \
                itself once a day, after a run, unless ledger.daily is false.
                """)
        @Flag(help: "Only if it was not done for a day, and no run is under way.") var ifDue = false
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let host = try home.open()
            let said = ifDue ? try host.tidyLedgerIfDue() : try host.tidyLedger()
            if format.isJSON {
                Console.data(["entries": .array(said.map(\.json))])
                return
            }
            for entry in said {
                Console.data("\(entry.kind.rawValue), as entry \(entry.sequence) of the ledger says")
            }
            if said.isEmpty { Console.data("there is nothing to let go of") }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write all entries, one JSON object a line.",
            discussion:
                "Requests to the network as an HTTP Archive: escrow egress export. One run in words: escrow ledger receipt."
        )
        @Option(help: "From this entry on.") var from: UInt64 = 1
        @Option(name: .customLong("run"), help: "Only entries of this run.") var runID: String?
        @OptionGroup var home: HomeOptions

        func run() throws {
            try home.ledger().forEach(from: max(1, from)) { (entry) throws(Diagnostic) in
                if runID == nil || entry.run == runID { Console.line(entry.json) }
                return true
            }
        }
    }

    struct Why: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "why",
            abstract: "Say what decided about a run, and with which words.")
        @Argument(help: "The id of a run.") var runID: String
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let why = try home.ledger().why(runID)
            if format.isJSON { Console.data(why.json) } else { why.lines.forEach { Console.columns($0) } }
        }
    }

    struct Who: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "who",
            abstract: "List every dataflow that ever read a table, or one record of it.",
            discussion: "A table about its records counts as well: of Contacts their phone numbers.")
        @Argument(help: "The table.", completion: .tables) var table: String
        @Argument(help: "The id of a record, as the table's column id has it.") var record: String?
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let (found, missing) = try home.ledger().readers(of: table, record: record)
            // A table of an earlier version is in no schema, but may be in the ledger: a name that neither has is a slip.
            let names = SourceRegistry.allSpecs.map(\.name)
            guard !found.isEmpty || names.contains(where: { $0.lowercased() == table.lowercased() }) else {
                throw Diagnostic.noSuchTable(table, among: names)
            }
            if format.isJSON {
                Console.data([
                    "readers": .array(found.map(\.json)), "missing": .integer(Int64(clamping: missing)),
                ])
                return
            }
            if missing > 0 {
                Console.say(
                    "\(missing) entries were dropped or lost; what they told is not told here: escrow ledger verify"
                )
            }
            guard !found.isEmpty else {
                let what = record == nil ? "that table" : "that record"
                Console.data("no dataflow of this ledger read \(what)")
                return
            }
            Console.table(
                ["no", "time", "run", "app", "plugin", "columns", "record"], found.map(\.row))
        }
    }

    struct Receipt: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "receipt",
            abstract: "Tell one run in words: what was asked, decided, read, computed, sent and handed over.")
        @Argument(help: "The id of a run, or last.") var runID: String
        @OptionGroup var home: HomeOptions

        func run() throws {
            let reader = try home.ledger()
            let run = runID == "last" ? try reader.latest(50).last { $0.run != nil }?.run ?? runID : runID
            for line in try reader.receipt(of: run) { Console.columns(line) }
        }
    }
}
