import ArgumentParser
import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import EscrowLedger

struct LedgerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger", abstract: "Look up what happened: every decision and every dataflow.",
        subcommands: [List.self, Show.self, Verify.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the latest entries.")
        @Option(help: "How many entries.") var last = 50
        @Option(name: .customLong("run"), help: "Only entries of this run.") var runID: String?
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let reader = try home.open().ledgerReader()
            var entries: [LedgerEntry] = []
            if let runID {
                try reader.forEach { (entry) throws(Diagnostic) in
                    if entry.run == runID { entries.append(entry) }
                    return true
                }
            } else {
                entries = try reader.latest(last)
            }
            if format.isJSON {
                Console.data(["entries": .array(entries.map(\.json))])
            } else {
                Console.table(
                    ["no", "time", "what", "run", "details"],
                    entries.map {
                        [String($0.sequence), "\($0.time)", $0.kind.rawValue, $0.run ?? "", $0.summary]
                    })
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show one entry, or all of one run.")
        @Argument(help: "The number of an entry, the id of a run, or last.") var which: String
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let reader = try home.open().ledgerReader()
            var found: [LedgerEntry] = []
            if which == "last" {
                found = try reader.latest(1)
                // The last entry is mostly the end of a run, of which the individual wants to see the whole.
                if let run = found.first?.run { found = try entries(of: run, reader) }
            } else if let number = UInt64(which) {
                found = try reader.entries(from: max(1, number), limit: 1).filter { $0.sequence == number }
            } else {
                found = try entries(of: which, reader)
            }
            guard !found.isEmpty else {
                throw Diagnostic("E1012", "the ledger has no such entry or run", help: "escrow ledger list")
            }
            if format.isJSON {
                Console.data(["entries": .array(found.map(\.json))])
                return
            }
            for entry in found {
                Console.data(
                    "\(entry.sequence)  \(entry.time)  \(entry.kind.rawValue)\(entry.run.map { "  " + $0 } ?? "")"
                )
                for member in entry.fields.members ?? [] {
                    Console.data("    \(member.name)  \(Console.printable(text(member.value)))")
                }
            }
        }

        private func entries(of run: String, _ reader: LedgerReader) throws(Diagnostic) -> [LedgerEntry] {
            var found: [LedgerEntry] = []
            try reader.forEach { (entry) throws(Diagnostic) in
                if entry.run == run { found.append(entry) }
                return true
            }
            return found
        }
    }

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check every entry, the chain, and the host's signature over its head.")
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let report = try home.open().ledgerReader().verify()
            if format.isJSON {
                Console.data([
                    "good": true, "entries": .integer(Int64(report.count)), "root": .string(report.root),
                    "key": .string(report.keyID), "signedAt": .string("\(report.signedAt)"),
                    "runsWithoutEnd": .array(report.unfinishedRuns.map { .string($0.run) }),
                ])
                return
            }
            Console.data(
                "the ledger is whole: \(report.count) entries, signed by \(report.keyID) at \(report.signedAt)"
            )
            for run in report.unfinishedRuns {
                Console.data("run \(run.run) has no end yet: it is running, or its host was stopped")
            }
        }
    }
}

private func text(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .array(let items): items.map(text).joined(separator: ", ")
    case .object(let members):
        members.map { member in
            if case .array(let items) = member.value {
                "\(member.name) (\(items.map(text).joined(separator: ", ")))"
            } else {
                "\(member.name) \(text(member.value))"
            }
        }.joined(separator: ", ")
    default: String(decoding: JSONWriter.line(value), as: UTF8.self)
    }
}

extension LedgerEntry {
    /// The entry for `--format json`.
    fileprivate var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("sequence", .integer(Int64(sequence))), ("time", .string("\(time)")),
            ("kind", .string(kind.rawValue)),
        ]
        if let run { members.append(("run", .string(run))) }
        members += [("fields", fields), ("commitment", .string(commitment))]
        return .object(members)
    }

    /// The fields that matter most, on one line.
    fileprivate var summary: String {
        let names = [
            "app", "plugin", "version", "outcome", "rows", "resultBytes", "code", "reason", "whenMs",
            "answer",
            "action", "source", "id", "pattern", "key", "from", "to",
        ]
        return names.compactMap { name in fields[name].map { "\(name) \(text($0))" } }.joined(separator: ", ")
    }
}
