import EscrowTabular
import Testing

@testable import EscrowRelational

@Suite("The explanation tells what became of each term, of the order and of the limit")
struct DecisionTests {
    private func scan(_ sql: String, _ parameters: [String: Cell] = [:]) throws -> ScanExplanation {
        try #require(try PushdownTests.open(sql, parameters).explanation.scans.first)
    }

    @Test(
        "pushed exactly, or pushed and checked again, and why",
        arguments: [
            ("familyName = 'x'", "familyName =", nil), ("email IS NULL", "email IS NULL", nil),
            ("familyName = :p", "familyName =~", "the value is known only when the query runs"),
            ("id IN (1, 2)", "id IN~", "lists always are"), ("id > 3", "id >~", "ranges always are"),
            ("email GLOB 'a*'", "email GLOB~", "patterns always are"),
        ] as [(String, String, String?)])
    func pushed(_ term: String, _ words: String, _ why: String?) throws {
        let scan = try scan(
            "SELECT id FROM Contacts WHERE \(term)", term.contains(":p") ? ["p": .text("x")] : [:])
        let found = try #require(scan.terms.first { $0.description == words }, "\(scan.terms)")
        #expect(found.whyRechecked == why)
        #expect(scan.leftToSQLite.isEmpty)
    }

    @Test(
        "not pushed, and why",
        arguments: [
            ("givenName = 7", "givenName = (the value is of another class than the column's)"),
            ("givenName LIKE 7", "givenName LIKE (the value is of another class than the column's)"),
            ("id LIKE '1%'", "id LIKE (the column holds no text)"),
            ("givenName = 'x' COLLATE RTRIM", "givenName = (its collation is neither BINARY nor NOCASE)"),
        ])
    func left(_ term: String, _ words: String) throws {
        let scan = try scan("SELECT id FROM Contacts WHERE \(term)")
        #expect(scan.terms.isEmpty)
        #expect(scan.leftToSQLite.map(\.description) == [words])
    }

    @Test("orders and limits that SQLite keeps")
    func orders() throws {
        let distinct = try scan("SELECT DISTINCT familyName FROM Contacts")
        #expect(distinct.order.isEmpty)
        #expect(distinct.whyNoOrder == "SQLite sorts fewer rows, the distinct ones alone")
        let kept = try PushdownTests.open("SELECT id FROM Contacts ORDER BY upper(givenName) LIMIT 3")
            .explanation
        #expect(
            kept.keptBySQLite == [
                "order (it is not by columns of one table alone)",
                "limit (offered for the rows of one table alone, as they are)",
            ])
        let taken = try PushdownTests.open("SELECT id FROM Contacts ORDER BY givenName LIMIT 3").explanation
        #expect(taken.keptBySQLite.isEmpty && taken.scans.map(\.usesLimit) == [true])
        let joined = try PushdownTests.open(
            "SELECT c.id FROM Visits v JOIN Contacts c ON c.id = v.contactID LIMIT 3"
        ).explanation
        #expect(joined.keptBySQLite == ["limit (offered for the rows of one table alone, as they are)"])
    }
}
