import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowDesktop
@testable import EscrowPlaces
@testable import EscrowSourceFiles
@testable import EscrowSources
@testable import EscrowTableKit

/// Files that would keep a scan for ever, or end every query of their table.
@Suite("The bounds of a scan")
struct ScanBoundTests {
    private static let spec = TableSpec(
        name: "Rows", sourceKind: "location", summary: "rows", columns: [ColumnSpec("text", .text, "a text")],
        examples: [])

    /// Records without end, none of which is a row.
    private final class Barren: RowReader {
        func next(_ row: RowBuilder) -> Bool {
            row.ruleOut()
            return true
        }
    }

    /// The same, passed over within one step.
    private final class Passing: RowReader {
        func next(_ row: RowBuilder) -> Bool {
            while !row.isDue { row.restart() }
            row.ruleOut()
            return true
        }
    }

    /// Three records, two of which have a text that is too long.
    private final class Long: RowReader {
        private var texts = [ColumnChunk.valueCapacity + 1, 3, ColumnChunk.valueCapacity * 2]

        func next(_ row: RowBuilder) -> Bool {
            guard let count = texts.popLast() else { return false }
            row.place = Int64(texts.count)
            row.set(0, repairing: [UInt8](repeating: 0x61, count: count)[...])
            return true
        }
    }

    private func table(
        _ folder: Folder, _ log: ProblemLog = ProblemLog(), _ make: @escaping @Sendable () -> any RowReader
    ) -> Table {
        folder.write("a.gpx", "x")
        let context = SourceContext(SourceAdapters[.location]!, roots: [folder.path]) { log.add($0, $1) }
        return Table(FilesTable(Self.spec, context, bytesPerRow: 1, open: { _, _ in make() }))
    }

    @Test("records that give no row let the clock be looked at", arguments: [false, true])
    func barren(_ isWithinOneStep: Bool) throws {
        let folder = try Folder()
        let table = table(folder) { () -> any RowReader in isWithinOneStep ? Passing() : Barren() }
        let scan = try table.source.snapshot(assets: AssetTable()).scan(ScanRequest(columns: ColumnMask([0])))
        let chunk = ColumnChunk(spec: Self.spec)
        for _ in 0..<2 {
            #expect(try scan.next(into: chunk))
            #expect(chunk.rowCount == 0)
        }
    }

    /// What a reader answered, and whether the record was ruled out.
    private final class Watched: RowReader {
        nonisolated(unsafe) static var answers: [[Bool]] = []
        private let reader: any RowReader

        init(_ reader: any RowReader) { self.reader = reader }

        func next(_ row: RowBuilder) throws(Diagnostic) -> Bool {
            let isRecord = try reader.next(row)
            Self.answers.append([isRecord, row.isRuledOut])
            return isRecord
        }
    }

    @Test("a database's record that is no row goes back to the scan")
    func query() throws {
        let folder = try Folder()
        try ProgramDatabase.write(
            folder.path + "/places.sqlite",
            "db.executescript('CREATE TABLE t(a); INSERT INTO t VALUES (1), (2);')")
        let context = SourceContext(SourceAdapters[.browser]!, roots: [folder.path]) { _, _ in }
        let table = Table(
            FilesTable(Self.spec, context, bytesPerRow: 1) { database, file throws(Diagnostic) in
                Watched(QueryReader(database, file, [.init(sql: "SELECT rowid FROM t") { _, _ in false }]))
            })
        #expect(try table.rows().isEmpty)
        #expect(Watched.answers == [[true, true], [true, true], [false, false]])
    }

    @Test("a text that is too long is left out and told, and the row stays")
    func long() throws {
        let folder = try Folder()
        let log = ProblemLog()
        let table = table(folder, log) { Long() }
        #expect(try table.rows() == [[.null], ["aaa"], [.null]])
        #expect(log.problems.map(\.problem) == [.longValue])
        #expect(log.problems.allSatisfy { $0.problem.isPartial })
        let isNull = Predicate(column: 0, operation: .isNull, values: [])
        #expect(try table.rows(where: [isNull]).count == 2)
        let prefix = Predicate(column: 0, operation: .like, values: ["a%"])
        #expect(try table.rows(where: [prefix]) == [["aaa"]])
    }

    @Test("`source check` counts the file")
    func checked() throws {
        let folder = try Folder()
        mkdir(folder.path + "/p.default", 0o700)
        try ProgramDatabase.write(
            folder.path + "/p.default/places.sqlite",
            BrowserTests.places
                + "db.execute('UPDATE moz_places SET title = ?', ('t' * \(ColumnChunk.valueCapacity + 1),))\n"
        )
        let report = SourceChecker(
            SourceEntry(kind: .browser, path: folder.path, added: Timestamp(microseconds: 0)!)
        ).report()
        #expect(report.failure == nil)
        #expect(report.files.map(\.problemCount) == [1])
        #expect(report.files.allSatisfy { $0.rowCount > 0 && !$0.isSkipped })
    }
}
