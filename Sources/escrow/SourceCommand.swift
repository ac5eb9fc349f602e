import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import EscrowHome
import EscrowHost
import EscrowJSON
import EscrowSources
import EscrowTableKit
import EscrowTabular

struct SourceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "source", abstract: "Say where your data lies: contacts, photos, location and more.",
        subcommands: [Kinds.self, Add.self, List.self, Remove.self, Check.self, Index.self])

    struct Kinds: Paged {
        static let configuration = CommandConfiguration(
            commandName: "kinds",
            abstract: "List the kinds of source that there are, and the tables that each serves.")
        @OptionGroup var paging: PagingOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            format.list(SourceKind.allCases, as: "kinds", ["kind", "tables", "PATH"]) {
                [$0.rawValue, $0.tables.joined(separator: ", "), $0.accepts]
            } json: {
                [
                    "kind": .string($0.rawValue), "path": .string($0.accepts),
                    "tables": .array($0.tables.map(JSONValue.string)),
                ]
            }
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a file or a folder. Nothing is copied: queries read it where it is.",
            discussion: SourceKind.allCases.map { "\($0.rawValue) PATH: \($0.accepts)" }
                .joined(separator: "\n\n"))
        @Argument(
            help: "A word that `escrow source kinds` lists.",
            completion: .list(SourceKind.allCases.map(\.rawValue)))
        var kind: String
        @Argument(help: "The file or folder.", completion: .file()) var path: String
        @OptionGroup var home: HomeOptions

        func run() throws {
            let entry = try home.open().addSource(kind: kind, path: Home.absolute(path))
            Console.say("added \(entry.kind.rawValue) from \(entry.path)")
            Console.say("next: escrow source check, or escrow schema")
        }
    }

    struct List: Paged {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the sources.")
        @Flag(help: "Print what they can be called, and nothing else.") var names = false
        @OptionGroup var paging: PagingOptions
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let entries = try home.open().sources().entries
            guard !names else { return Console.names(entries.map(\.path)) }
            format.list(
                entries, as: "sources", none: "there are no sources yet: escrow source add contacts PATH",
                ["kind", "path", "added"]
            ) {
                [$0.kind.rawValue, $0.path, $0.added.iso8601]
            } json: {
                [
                    "kind": .string($0.kind.rawValue), "path": .string($0.path),
                    "added": .string($0.added.iso8601),
                ]
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Forget a source; the files stay as they are.")
        @Argument(
            help: "A word that `escrow source kinds` lists.",
            completion: .list(SourceKind.allCases.map(\.rawValue)))
        var kind: String
        @Argument(help: "The file or folder.", completion: .sources) var path: String
        @OptionGroup var home: HomeOptions

        func run() throws {
            let entry = try home.open().removeSource(kind: kind, path: Home.absolute(path))
            Console.say("removed \(entry.kind.rawValue) from \(entry.path); the files are untouched")
        }
    }

    struct Index: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "index",
            abstract: "Read the headers of pictures now, so that queries find them read.",
            discussion: """
                The first query that needs them would do the same. What was read is kept as it goes on: after an interruption the \
                next reading goes on where this one was.
                """)
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let host = try home.open()
            let kinds = try host.indexSources()
            let read = host.sourceMemory.filesRead
            if format.isJSON {
                Console.data([
                    "kinds": .array(
                        kinds.map { ["kind": .string($0.kind.rawValue), "rows": .integer(Int64($0.rows))] }),
                    "read": .integer(Int64(read)),
                ])
            } else if kinds.isEmpty {
                Console.say("there are no photos yet: escrow source add photos PATH")
            } else {
                for (kind, rows) in kinds { Console.data("\(kind.rawValue): \(rows) rows are known") }
                Console.data("files read just now: \(read)")
            }
        }
    }

    struct Check: Paged {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Read every source and say what was read, and what was skipped and why.")
        @Flag(help: "Say it file by file, however many files there are.") var all = false
        @OptionGroup var paging: PagingOptions
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let reports = try home.open().sources().check()
            if format.isJSON {
                Console.data(["sources": .array(reports.map(\.json))])
            } else {
                reports.flatMap { $0.lines(all: all) }.forEach { Console.data($0) }
                if reports.isEmpty {
                    Console.say("there are no sources yet: escrow source add contacts PATH")
                }
            }
            if let failure = reports.compactMap(\.failure).first { throw failure }
        }
    }
}

extension SourceReport {
    /// The report for `--format json`.
    fileprivate var json: JSONValue {
        [
            "kind": .string(entry.kind.rawValue), "path": .string(entry.path),
            "rows": .integer(Int64(rowCount)),
            "skipped": .integer(Int64(skippedCount)), "others": .integer(Int64(otherCount)),
            "unlisted": .integer(Int64(unlistedCount)),
            "files": .array(
                files.map { file in
                    [
                        "path": .string(file.path), "rows": .integer(Int64(file.rowCount)),
                        "skipped": .bool(file.isSkipped), "other": .bool(file.isOther),
                        "problemCount": .integer(Int64(file.problemCount)),
                        "problems": .array(
                            file.problems.map { problem in
                                [
                                    "line": problem.line.map { .integer(Int64($0)) } ?? .null,
                                    "reason": .string(problem.reason),
                                ]
                            }),
                    ]
                }),
        ]
    }
}
