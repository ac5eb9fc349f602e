import Foundation
import Testing

/// A limit to a number of records.
@Suite struct FirstTests {
    static let app = "org.example.one"

    /// Echo over the contacts' ids and names.
    private func echo() throws -> Echo {
        let echo = try Echo()
        let installed = try echo.install([
            ("\"name\": \"latitude\", \"type\": \"real\"", "\"name\": \"id\", \"type\": \"text\""),
            (
                "{ \"name\": \"timestamp\", \"type\": \"timestamp\" }",
                "{ \"name\": \"familyName\", \"type\": \"text\" }"
            ), ("\"Location\": [\"latitude\", \"timestamp\"]", "\"Contacts\": [\"id\", \"familyName\"]"),
            ("SELECT latitude, timestamp FROM Location", "SELECT id, familyName FROM Contacts"),
        ])
        try #require(installed.status == 0, "\(installed.words)")
        return echo
    }

    private func limit(_ echo: Echo, _ more: String...) throws -> Escrow.Outcome {
        try Escrow.start(
            ["grant", "limit", "--app", Self.app, "--plugin", "echo"] + more, home: echo.escrow.home)
    }

    private func names(_ echo: Echo, _ sql: String? = nil) throws -> [String] {
        try echo.see(Self.app, "echo", sql.map { ["--sql", $0] } ?? []).rows.map {
            if case .text(let name) = $0[1] { name } else { "" }
        }
    }

    @Test func soManyRecordsAreServedWhateverTheQueryAsks() throws {
        let echo = try echo()
        try echo.allow(Self.app)
        let all = try names(echo)
        try #require(all.count > 3)
        let limited = try limit(echo, "--first", "Contacts=2")
        try #require(limited.status == 0, "\(limited.words)")
        #expect(limited.words.contains("Contacts: the first 2 records"))
        #expect(try names(echo) == Array(all.prefix(2)))
        // Other orders and terms find others of the two, never others of the table.
        let descending = try names(echo, "SELECT id, familyName FROM Contacts ORDER BY familyName DESC, id")
        #expect(descending.sorted() == all.prefix(2).sorted())
        let beyond = try names(
            echo, "SELECT id, familyName FROM Contacts WHERE familyName <> '\(all[0])' LIMIT 5")
        #expect(beyond == all.prefix(2).filter { $0 != all[0] })
    }

    @Test func theGreatestOfAColumnAreServed() throws {
        let echo = try echo()
        try echo.allow(Self.app)
        let all = try names(echo)
        let greatest = all.sorted { $1.utf8.lexicographicallyPrecedes($0.utf8) }.prefix(3)
        let limited = try limit(echo, "--first", "Contacts.familyName=3")
        try #require(limited.status == 0, "\(limited.words)")
        #expect(limited.words.contains("the 3 records with the greatest familyName"))
        #expect(try names(echo).sorted() == greatest.sorted())
        // With a condition they are the first of what meets it.
        let name = try #require(all.sorted().first { !$0.isEmpty })
        #expect(
            try limit(echo, "--where", "Contacts: familyName = '\(name)'", "--first", "Contacts=1").status
                == 0)
        #expect(try names(echo) == [name])
    }

    @Test func whatIsNoNumberAndNoColumnIsRefused() throws {
        let echo = try echo()
        for text in ["Contacts", "Contacts=0", "Contacts=-1", "Contacts=many", "Contacts.a.b=1", "=3"] {
            let refused = try limit(echo, "--first", text)
            #expect(refused.status == 64 && refused.words.contains("E0722"), "\(text): \(refused.words)")
        }
        let column = try limit(echo, "--first", "Contacts.shoeSize=3")
        #expect(column.status == 64 && column.words.contains("E0726"), "\(column.words)")
        let other = try limit(echo, "--first", "Photos=3")
        #expect(other.status == 64 && other.words.contains("E0720"), "\(other.words)")
    }
}
