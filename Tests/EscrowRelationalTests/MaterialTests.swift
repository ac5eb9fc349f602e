import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Testing

@testable import EscrowRelational

@Suite("Native copies of tables")
struct MaterialTests {
    private static func open(
        _ sql: String, _ contacts: SyntheticSource, _ materials: MaterialCache? = nil,
        granted: [String: Set<String>]? = nil, budget: AccessBudget = AccessBudget()
    ) throws -> Access {
        try Access(
            AccessRequest(sql: sql, granted: granted, budget: budget, engine: .materialized),
            tables: [contacts, Fixture.visits()], assets: AssetTable(), materials: materials)
    }

    private static func contacts(_ state: String? = "1") -> SyntheticSource {
        let contacts = Fixture.contacts()
        contacts.state = state
        return contacts
    }

    @Test("are made when the first row is asked for, of the columns that the statement names")
    func columns() throws {
        let contacts = Self.contacts()
        let access = try Self.open("SELECT givenName FROM Contacts WHERE id < 2", contacts)
        #expect(contacts.snapshots == 0, "preparing touches no data")
        #expect(access.explanation.copies.map(\.rows) == [nil])
        #expect(try access.allRows() == [[.text("given0")], [.text("given1")]])
        #expect(contacts.requested.columns == [0, 1])
        let copy = try #require(access.explanation.copies.first)
        #expect(copy.table == "Contacts" && copy.columns == ["id", "givenName"] && copy.rows == 100)
        #expect(!copy.isReused && access.explanation.scans.isEmpty)
    }

    @Test("serve the next query until the source changes")
    func freshness() throws {
        let contacts = Self.contacts()
        let materials = MaterialCache()
        func names() throws -> [[Cell]] {
            try Self.open("SELECT givenName FROM Contacts ORDER BY id LIMIT 1", contacts, materials).allRows()
        }
        #expect(try names() == [[.text("given0")]])
        #expect(try names() == [[.text("given0")]])
        #expect(contacts.snapshots == 1)
        contacts.rows[0][1] = .text("changed")
        contacts.state = "2"
        #expect(try names() == [[.text("changed")]])
        #expect(contacts.snapshots == 2)
        let kept = materials.byteCount
        contacts.state = "3"
        #expect(try names() == [[.text("changed")]])
        #expect(materials.byteCount == kept, "the copy of the old state is given up")
    }

    @Test("grow by the columns of other queries, so that two that take turns copy twice and no more")
    func widening() throws {
        let contacts = Self.contacts()
        let materials = MaterialCache()
        for _ in 0..<3 {
            _ = try Self.open("SELECT givenName FROM Contacts", contacts, materials).allRows()
            _ = try Self.open("SELECT email FROM Contacts", contacts, materials).allRows()
        }
        #expect(contacts.snapshots == 2)
    }

    @Test("of a source that cannot tell its state are thrown away")
    func unknownState() throws {
        let contacts = Self.contacts(nil)
        let materials = MaterialCache()
        for _ in 0..<2 { _ = try Self.open("SELECT id FROM Contacts", contacts, materials).allRows() }
        #expect(contacts.snapshots == 2 && materials.byteCount == 0)
    }

    @Test("with handles of assets are thrown away, for a handle is of one run")
    func assets() throws {
        let spec = TableSpec(
            name: "Photos", sourceKind: "photos", summary: "pictures",
            columns: [
                ColumnSpec("id", .integer, nullable: false, "number"), ColumnSpec("asset", .asset, "bytes"),
            ], examples: [])
        let photos = SyntheticSource(spec, rows: [[.integer(1), .text("a-1")]])
        photos.state = "1"
        let materials = MaterialCache()
        for sql in ["SELECT count(*) AS n FROM Photos WHERE asset IS NOT NULL", "SELECT id FROM Photos"] {
            let access = try Access(
                AccessRequest(sql: sql, engine: .materialized), tables: [photos], assets: AssetTable(),
                materials: materials)
            #expect(try access.allRows() == [[.integer(1)]])
            #expect((materials.byteCount == 0) == sql.contains("asset"))
        }
    }

    @Test("made under one grant serve no other")
    func grants() throws {
        let contacts = Self.contacts()
        let materials = MaterialCache()
        _ = try Self.open("SELECT email FROM Contacts", contacts, materials).allRows()
        let narrow = try Self.open(
            "SELECT id FROM Contacts WHERE id = 3", contacts, materials, granted: ["Contacts": ["id"]])
        #expect(try narrow.allRows() == [[.integer(3)]])
        #expect(contacts.snapshots == 2)
        #expect(throws: Diagnostic(.notGranted, "")) {
            _ = try Self.open(
                "SELECT email FROM Contacts", contacts, materials, granted: ["Contacts": ["id"]])
        }
    }

    @Test("beyond their budget are an error, in words that hold no value")
    func budget() throws {
        var budget = AccessBudget()
        budget.materializedBytes = 12_288
        let materials = MaterialCache()
        let small = try Self.open("SELECT id FROM Contacts", Self.contacts(), materials, budget: budget)
        #expect(try small.allRows().count == 100)
        let large = try Self.open("SELECT * FROM Contacts", Self.contacts("2"), materials, budget: budget)
        let error = try #require(throws: Diagnostic.self) { _ = try large.allRows() }
        #expect(
            "\(error)".hasPrefix(
                "error[E0850]: the tables of the query take more than 12288 bytes when they are materialized")
        )
    }

    @Test("are held to the budgets of rows and to cancellation")
    func governed() throws {
        var budget = AccessBudget()
        budget.rows = 10
        #expect(throws: Diagnostic(.tooManyRows, "")) {
            _ = try Self.open("SELECT id FROM Contacts", Self.contacts(), budget: budget).allRows()
        }
        let cancelled = try Self.open("SELECT id FROM Contacts", Self.contacts())
        cancelled.cancel()
        #expect(throws: Diagnostic(.accessCancelled, "")) { _ = try cancelled.allRows() }
    }

    @Test("are kept up to a number of bytes, the oldest given up first")
    func bounded() throws {
        let materials = MaterialCache(maximumBytes: 40_000)
        let sources = (0..<6).map { Self.contacts("\($0)") }
        let columns = ["id", "givenName", "familyName", "email", "birthday", "height"]
        for (source, column) in zip(sources, columns) {
            // Each grant has copies of its own.
            _ = try Self.open(
                "SELECT \(column) FROM Contacts", source, materials, granted: ["Contacts": [column]]
            ).allRows()
            #expect(materials.byteCount > 0 && materials.byteCount <= 40_000)
        }
        let last = try Self.open(
            "SELECT height FROM Contacts", sources[5], materials, granted: ["Contacts": ["height"]])
        _ = try last.allRows()
        #expect(last.explanation.copies.map(\.isReused) == [true])
        let first = try Self.open(
            "SELECT id FROM Contacts", sources[0], materials, granted: ["Contacts": ["id"]])
        _ = try first.allRows()
        #expect(first.explanation.copies.map(\.isReused) == [false])
        materials.removeAll()
        #expect(materials.byteCount == 0)
    }

    @Test("are read by many threads at once")
    func threads() async throws {
        let contacts = Self.contacts()
        let materials = MaterialCache()
        _ = try Self.open("SELECT id, familyName FROM Contacts", contacts, materials).allRows()
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try Self.open(
                        "SELECT a.id AS a, b.id AS b FROM Contacts a JOIN Contacts b ON a.familyName = b.familyName",
                        contacts,
                        materials
                    ).allRows().count
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(counts).count == 1 && counts.count == 8)
        #expect(contacts.snapshots == 1)
    }

    @Test("the engine virtual asks the source for all granted columns and takes nothing over")
    func virtual() throws {
        let contacts = Fixture.contacts()
        let access = try Access(
            AccessRequest(
                sql: "SELECT givenName FROM Contacts WHERE id = 7 ORDER BY familyName LIMIT 1",
                granted: ["Contacts": ["id", "givenName", "familyName", "email"]], engine: .virtual),
            tables: [contacts], assets: AssetTable())
        #expect(try access.allRows() == [[.text("given7")]])
        #expect(contacts.requested.columns == [0, 1, 2, 3])
        #expect(contacts.requests.allSatisfy { $0.predicates.isEmpty && $0.order.isEmpty && $0.limit == nil })
        let scan = try #require(access.explanation.scans.first)
        #expect(scan.leftToSQLite.map(\.description) == ["id = (this engine takes nothing over)"])
        #expect(scan.whyNoOrder == "this engine takes nothing over" && scan.passedRows == 100)
    }
}
