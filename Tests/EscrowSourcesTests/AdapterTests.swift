import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Testing

@testable import EscrowSourceFiles
@testable import EscrowSources
@testable import EscrowTableKit

@Suite("Kinds of source")
struct AdapterTests {
    @Test(
        "the list of adapters agrees with itself: words, tables, checked tables",
        arguments: SourceKind.allCases)
    func consistent(_ kind: SourceKind) throws {
        let adapter = try #require(SourceAdapters[kind])
        #expect(SourceKind(rawValue: kind.rawValue) == kind)
        #expect(SourceKind.allCases.count { $0 == kind } == 1)
        #expect(kind.rawValue.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") })
        let context = SourceContext(adapter, roots: []) { _, _ in }
        #expect(adapter.tables(context).map(\.spec.name) == adapter.specs.map(\.name))
        #expect(adapter.specs.allSatisfy { $0.sourceKind == kind.rawValue })
        #expect(!adapter.checkedTables.isEmpty && Set(adapter.checkedTables).isSubset(of: kind.tables))
        #expect(!adapter.accepts.isEmpty && !adapter.nothingFound.isEmpty && adapter.typicalRows > 0)
    }

    @Test("no table is served by two kinds")
    func distinctTables() {
        let names = SourceRegistry.allSpecs.map { $0.name.lowercased() }
        #expect(Set(names).count == names.count)
    }

    @Test("a kind that there is not is told with those that there are")
    func unknownKind() throws {
        var registry = try SourceRegistry.load(directory: try Folder().path + "/gone")
        let error = try #require(throws: Diagnostic.self) { try registry.add(kind: "pictures", path: "/") }
        let words = SourceKind.allCases.map(\.rawValue).joined(separator: ", ")
        #expect(
            error.description == """
                error[E0802]: there is no kind of source named 'pictures'
                note: the kinds are \(words)
                help: `escrow source kinds` says what each is read from
                """)
    }

    /// A kind in a few lines, as `docs/sources.md` shows it: a file of lines `number word`.
    private struct WordsAdapter: SourceAdapter {
        let kind = SourceKind(word: "words")
        let accepts = "a folder of .words files"
        let nothingFound = "no file .words"
        let typicalRows = 10
        let specs = [
            TableSpec(
                name: "Words", sourceKind: "words", summary: "One row is one line.",
                columns: [
                    ColumnSpec("number", .integer, "A number."), ColumnSpec("word", .text, "A word."),
                    ColumnSpec("filename", .text, cost: .free, "The file."),
                ], examples: [])
        ]
        func classify(_ file: FileCandidate) -> UInt8? { file.ending == "words" ? 7 : nil }
        func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? { nil }
        func tables(_ context: SourceContext) -> [any TableSource] {
            [
                FilesTable(specs[0], context, listed: .init([2: .filename]), bytesPerRow: 10) {
                    descriptor, file in
                    WordsReader(lines: BlockReader(descriptor, limit: file.size), kind: file.kind)
                }
            ]
        }
    }

    private final class WordsReader: RowReader {
        private var lines: BlockReader
        init(lines: consuming BlockReader, kind: UInt8) {
            self.lines = lines
            precondition(kind == 7)
        }
        func next(_ row: RowBuilder) -> Bool {
            while let line = lines.next() {
                let parts = lines.buffer[line.range].split(separator: UInt8(ascii: " "))
                row.place = line.offset
                row.set(0, parts.first.flatMap { Int64(String(decoding: $0, as: UTF8.self)) })
                if parts.count > 1 { row.set(1, repairing: parts[1]) }
                if parts.count > 2 { row.set(1, "a second value is not taken") }
                // A line of one word is no record after all.
                if parts.count == 1 { row.restart() } else { return true }
            }
            return false
        }
    }

    /// The rows that a request gives, as cells of all columns.
    private func rows(
        _ folder: Folder, _ columns: [Int], _ terms: [Predicate] = [], chunkRows: Int = 2,
        onSkip: @escaping @Sendable (String, FileProblem) -> Void = { _, _ in }
    ) throws -> (cells: [[Cell]], ids: [Int64]) {
        let adapter = WordsAdapter()
        let context = SourceContext(adapter, roots: [folder.path], onSkip: onSkip)
        let scan = try adapter.tables(context)[0].snapshot(assets: AssetTable())
            .scan(ScanRequest(columns: ColumnMask(columns), predicates: terms))
        let chunk = ColumnChunk(spec: adapter.specs[0])
        chunk.wantedRows = chunkRows
        var result: (cells: [[Cell]], ids: [Int64]) = ([], [])
        while try scan.next(into: chunk) {
            for row in 0..<chunk.rowCount {
                result.cells.append((0..<3).map { chunk.cell(row: row, column: $0) })
                result.ids.append(chunk.rowIDs.integer(row))
            }
        }
        return result
    }

    @Test("a table of file rows: columns, terms, nulls, ids, and values that come twice")
    func fileRows() throws {
        let folder = try Folder()
        folder.write("a.words", "1 one\n2\nx null\n3 three more\n")
        folder.write("b.words", "4 four\n")
        folder.write("c.txt", "5 five\n")
        let all = try rows(folder, [0, 1, 2])
        #expect(
            all.cells == [
                [1, "one", "a.words"], [nil, "null", "a.words"], [3, "three", "a.words"],
                [4, "four", "b.words"],
            ])
        #expect(all.ids == [0, 8, 15, 1 << 44])
        #expect(try rows(folder, [1]).cells.first == [nil, "one", nil])
        #expect(try rows(folder, []).ids == all.ids)
        let term = { (column: Int, operation: Predicate.Operation, values: [Cell]) in
            Predicate(column: column, operation: operation, values: values)
        }
        #expect(try rows(folder, [1], [term(0, .isNull, [])]).ids == [8])
        #expect(try rows(folder, [1], [term(0, .greater, [2])]).ids == [15, 1 << 44])
        #expect(try rows(folder, [1], [term(1, .equal, ["one"]), term(0, .notNull, [])]).ids == [0])
        #expect(try rows(folder, [0], [term(2, .equal, ["b.words"])]).ids == [1 << 44])
        #expect(try rows(folder, [0], [term(2, .like, ["A%"])]).ids == [0, 8, 15])
    }
}
