import EscrowDiagnostics
import EscrowJSON
import EscrowLedger
import EscrowSchema
import EscrowTabular
import Testing

@testable import EscrowHome

/// By which column the ledger tells the records of a table apart.
@Suite struct ReadRecorderTests {
    private func key(_ columns: ColumnSpec...) -> String? {
        let spec = TableSpec(
            name: "T", sourceKind: "t", summary: "One row is one thing.", columns: columns, examples: [])
        return ReadRecorder.keyColumn(of: spec).map { spec.columns[$0].name }
    }

    private func column(_ name: String, _ type: ColumnType, nullable: Bool = false) -> ColumnSpec {
        ColumnSpec(name, type, nullable: nullable, "A column.")
    }

    @Test func recordsAreToldApartByTheirIDElseByWhatTheyAreAboutElseByTime() {
        #expect(key(column("contactID", .text), column("id", .text)) == "id")
        #expect(key(column("timestamp", .timestamp), column("contactID", .text)) == "contactID")
        #expect(
            key(column("folderID", .text, nullable: true), column("timestamp", .timestamp)) == "timestamp")
        #expect(key(column("name", .text)) == nil)
    }

    @Test func aNumberTellsNothingApart() {
        #expect(key(column("id", .integer)) == nil)
        #expect(key(column("id", .integer), column("timestamp", .timestamp)) == "timestamp")
        #expect(key(column("placeID", .real)) == nil)
    }

    /// Reads a numbered table to its end, and tells what the recorder has of it.
    private func read(_ recorder: ReadRecorder, _ name: String, _ rows: Int) throws -> JSONValue? {
        let table = Numbers(name, rows)
        let watched = try #require(recorder.watch([table]).first)
        let scan = try watched.snapshot(assets: AssetTable()).scan(ScanRequest(columns: ColumnMask([1])))
        let chunk = ColumnChunk(spec: table.spec)
        while try scan.next(into: chunk) {}
        return recorder.json.array?.first { $0["table"]?.string == name }
    }

    private func holds(_ part: JSONValue?, _ id: String) throws -> Bool {
        let set = try #require(part?["set"]?.string.flatMap { RecordSet($0) })
        let key = try #require(part?["salt"]?.string.flatMap { RecordKey($0) })
        return set.contains(key.hash(Array(id.utf8)))
    }

    @Test func everyRecordThatWasReadIsToldAndNoOther() throws {
        let part = try read(ReadRecorder(), "A", RecordSet.most)
        #expect(part?["count"]?.integer == Int64(RecordSet.most) && part?["all"]?.bool == true)
        for row in stride(from: 0, to: RecordSet.most, by: 97) { #expect(try holds(part, "n\(row)")) }
        #expect(try holds(part, "n\(RecordSet.most - 1)"))
        #expect(try !holds(part, "n\(RecordSet.most)") && !holds(part, "n"))
    }

    @Test func oneRecordTooManyIsCountedOnly() throws {
        let part = try read(ReadRecorder(), "A", RecordSet.most + 1)
        #expect(part?["set"] == nil && part?["count"]?.integer == Int64(RecordSet.most + 1))
        #expect(part?["all"]?.bool == true)
    }

    @Test func scansBegunAgainCountTheirRecordsOnce() throws {
        let recorder = ReadRecorder(most: 150)
        var part: JSONValue?
        for _ in 0..<7 { part = try read(recorder, "A", 100) }
        #expect(part?["rows"]?.integer == 700 && part?["count"]?.integer == 100)
        #expect(try holds(part, "n0") && holds(part, "n99") && !holds(part, "n100"))
    }

    @Test func theBoundIsOfAllTablesTogetherAndOneThatIsTooLargeLeavesRoomForOthers() throws {
        let recorder = ReadRecorder(most: 3_000)
        #expect(try read(recorder, "Large", 5_000)?["set"] == nil)
        #expect(try read(recorder, "A", 2_000)?["count"]?.integer == 2_000)
        #expect(try read(recorder, "B", 1_001)?["set"] == nil)
        #expect(try holds(try read(recorder, "C", 1_000), "n999"))
        #expect(try holds(try read(recorder, "A", 2_000), "n1999"))
    }

    /// However the records of a run are spread over tables, its end fits into an entry.
    @Test func theRecordOfARunFitsIntoAnEntry() throws {
        for tables in [1, 16, 64] {
            let recorder = ReadRecorder()
            for table in 0..<tables { _ = try read(recorder, "T\(table)", RecordSet.most / tables) }
            #expect(recorder.json.array?.allSatisfy { $0["set"] != nil } == true)
            #expect(JSONWriter.line(recorder.json).count < 200_000)
        }
    }
}

/// A table of ids `n0`, `n1` and so on, and a column besides.
private struct Numbers: TableSource {
    let spec: TableSpec
    let rows: Int

    init(_ name: String, _ rows: Int) {
        self.rows = rows
        spec = TableSpec(
            name: name, sourceKind: "t", summary: "One row is one number.",
            columns: [
                ColumnSpec("id", .text, nullable: false, "Its name."), ColumnSpec("n", .integer, "Itself."),
            ],
            examples: [])
    }

    func offer(for request: ScanRequest) -> ScanOffer {
        ScanOffer(prunes: request.predicates.map { _ in false }, servesOrder: false, estimatedRows: rows)
    }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot { Snapshot(rows) }

    private final class Snapshot: TableSnapshot {
        private let rows: Int
        init(_ rows: Int) { self.rows = rows }
        func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan { Scan(rows, request.columns) }
    }

    private final class Scan: TableScan {
        private let rows: Int
        private var columns: ColumnMask
        private var next = 0

        init(_ rows: Int, _ columns: ColumnMask) {
            self.rows = rows
            self.columns = columns
        }

        func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
            chunk.removeAll()
            while !chunk.isFull, next < rows {
                if columns.contains(0) { chunk.append("n\(next)", to: 0) }
                if columns.contains(1) { chunk.append(Int64(next), to: 1) }
                chunk.endRow(id: Int64(next))
                next += 1
            }
            return chunk.rowCount > 0
        }

        func omit(_ column: Int) { columns.remove(column) }
    }
}
