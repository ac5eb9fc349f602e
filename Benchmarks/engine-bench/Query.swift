import EscrowSchema
import EscrowTabular

/// One query of the second paper's Table 4, and the same written by hand on the source's own interface.
struct Query: Sendable {
    /// `full`, `projection`, `predicate` or `order`.
    let name: String
    let sql: String
    /// What hand-written code asks the source for.
    let columns: [String]
    /// The one term, text against text.
    let equals: (column: String, value: String)?
    /// The greatest value of this column wins, and one row comes back.
    let newest: String?

    /// The queries over a kind of source; `nil` for a kind that the papers do not query.
    static func all(_ kind: String) -> [Query]? {
        switch kind {
        case "contacts":
            [
                Query("full", "SELECT * FROM Contacts"),
                Query("projection", "SELECT phoneNumber FROM Contacts", ["phoneNumber"]),
                Query(
                    "predicate", "SELECT givenName, phoneNumber FROM Contacts WHERE familyName = 'Last77'",
                    ["givenName", "phoneNumber"], equals: ("familyName", "Last77")),
            ]
        case "photos":
            [
                Query("full", "SELECT * FROM Photos"),
                Query("projection", "SELECT asset FROM Photos", ["asset"]),
                Query(
                    "predicate", "SELECT asset FROM Photos WHERE collectionName = 'Solo'", ["asset"],
                    equals: ("collectionName", "Solo")),
                Query(
                    "order", "SELECT asset FROM Photos ORDER BY creationDate DESC LIMIT 1", ["asset"],
                    newest: "creationDate"),
            ]
        default: nil
        }
    }

    private init(
        _ name: String, _ sql: String, _ columns: [String] = [], equals: (String, String)? = nil,
        newest: String? = nil
    ) {
        self.name = name
        self.sql = sql
        self.columns = columns
        self.equals = equals
        self.newest = newest
    }
}

/// What a query's answer came to, so that ways to answer can be compared: rows, nulls, and bytes of text.
///
/// Adding it up touches every value that came back. Handles of assets are made anew each time, so their length does
/// not count; times are text for the source and numbers for the engine, so theirs does not either.
struct Tally: Equatable {
    var rows = 0
    var nulls = 0
    var bytes = 0
    var numbers = 0.0
}
