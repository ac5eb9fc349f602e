import EscrowRelational
import EscrowSchema
import EscrowTabular
import Testing

/// The tables that most tests read.
enum Fixture {
    static let contactsSpec = TableSpec(
        name: "Contacts", sourceKind: "contacts", summary: "one row per contact",
        columns: [
            ColumnSpec("id", .integer, nullable: false, "number"),
            ColumnSpec("givenName", .text, "first name"),
            ColumnSpec("familyName", .text, "last name"),
            ColumnSpec("email", .text, "address"),
            ColumnSpec("birthday", .timestamp, "birth"),
            ColumnSpec("isFavourite", .boolean, "favourite"),
            ColumnSpec("height", .real, "metres"),
        ], examples: [])

    static func contacts() -> SyntheticSource {
        SyntheticSource(
            contactsSpec,
            rows: (0..<100).map { contact($0) })
    }

    private static func contact(_ i: Int) -> [Cell] {
        let email: Cell = i % 8 == 0 ? .null : .text("u\(i)@example.org")
        let birthday = "19\(50 + i % 50)-03-01T12:00:00.000Z"
        return [
            .integer(Int64(i)), .text("given\(i % 10)"), .text("family\(i % 7)"), email, .text(birthday),
            .integer(Int64(i % 2)), .real(Double(i) / 100),
        ]
    }

    static let visitsSpec = TableSpec(
        name: "Visits", sourceKind: "visits", summary: "one row per visit",
        columns: [
            ColumnSpec("contactID", .integer, nullable: false, "contact"),
            ColumnSpec("place", .text, "where"),
        ], examples: [])

    static func secrets() -> SyntheticSource {
        let spec = TableSpec(
            name: "Secrets", sourceKind: "secrets", summary: "not granted",
            columns: [ColumnSpec("word", .text, "a word")], examples: [])
        return SyntheticSource(spec, rows: [[.text("kanarienvogel")]])
    }

    static func visits() -> SyntheticSource {
        SyntheticSource(
            visitsSpec, rows: (0..<50).map { [.integer(Int64($0 * 2)), .text("place\($0 % 5)")] })
    }
}

@Suite("An access")
struct AccessTests {
    func run(_ sql: String, _ parameters: [String: Cell] = [:]) throws -> [[Cell]] {
        try Access(
            AccessRequest(sql: sql, parameters: parameters), tables: [Fixture.contacts(), Fixture.visits()],
            assets: AssetTable()
        ).allRows()
    }

    @Test("returns rows of a table")
    func rows() throws {
        #expect(
            try run("SELECT id, givenName FROM Contacts WHERE id < 2") == [
                [.integer(0), .text("given0")], [.integer(1), .text("given1")],
            ])
    }

    @Test("joins, groups and sorts")
    func join() throws {
        let rows = try run(
            """
            SELECT c.familyName AS family, count(*) AS n FROM Contacts c JOIN Visits v ON v.contactID = c.id
            GROUP BY c.familyName ORDER BY n DESC, family LIMIT 2
            """)
        #expect(rows == [[.text("family0"), .integer(8)], [.text("family1"), .integer(7)]])
    }

    @Test("binds parameters by name")
    func parameters() throws {
        #expect(
            try run("SELECT count(*) AS n FROM Contacts WHERE givenName = :g", ["g": .text("given3")]) == [
                [.integer(10)]
            ])
    }
}
