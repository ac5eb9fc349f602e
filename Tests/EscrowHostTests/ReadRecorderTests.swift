import EscrowSchema
import EscrowTabular
import Testing

@testable import EscrowHost

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
}
