import EscrowSchema
import EscrowTabular

/// One query of the second paper's Table 4, or one like it, and the same written by hand on the source's own interface.
struct Query: Sendable {
    /// What it shows: `full`, `projection`, `predicate`, `id`, `order`, `join`.
    let name: String
    let sql: String
    /// The table that hand-written code reads.
    let table: String
    /// What hand-written code asks the source for.
    let columns: [String]
    /// The one term, text against text.
    var equals: (column: String, value: String)?
    /// The rows that come first by this column.
    var first: (column: String, descending: Bool, count: Int)?
    /// The other table of a join, its column that names the first table's `id`, and its column that is wanted.
    var child: (table: String, key: String, value: String)?

    /// The engine that takes nothing over reads the inner table of a join once for each row of the outer one: half a day for
    /// 100,000.
    var isEndlessWithoutIndex: Bool { child != nil }

    /// The queries over a kind of source; `nil` for a kind that the papers do not query.
    static func all(_ kind: String) -> [Query]? {
        switch kind {
        case "contacts":
            [
                Query("full", "SELECT * FROM Contacts", "Contacts"),
                Query("projection", "SELECT phoneNumber FROM Contacts", "Contacts", ["phoneNumber"]),
                Query(
                    "predicate", "SELECT givenName, phoneNumber FROM Contacts WHERE familyName = 'Last77'",
                    "Contacts", ["givenName", "phoneNumber"], equals: ("familyName", "Last77")),
                Query(
                    "id", "SELECT givenName, phoneNumber FROM Contacts WHERE id = 'u77'", "Contacts",
                    ["givenName", "phoneNumber"], equals: ("id", "u77")),
                Query(
                    "order", "SELECT givenName, familyName FROM Contacts ORDER BY familyName LIMIT 10",
                    "Contacts", ["givenName", "familyName"], first: ("familyName", false, 10)),
                Query(
                    "join",
                    "SELECT c.givenName, p.phoneNumber FROM Contacts AS c "
                        + "JOIN ContactPhoneNumbers AS p ON p.contactID = c.id", "Contacts", ["givenName"],
                    child: ("ContactPhoneNumbers", "contactID", "phoneNumber")),
                Query(
                    "join2",
                    "SELECT c.familyName, e.emailAddress FROM ContactEmailAddresses AS e "
                        + "JOIN Contacts AS c ON c.id = e.contactID", "Contacts", ["familyName"],
                    child: ("ContactEmailAddresses", "contactID", "emailAddress")),
            ]
        case "photos":
            [
                Query("full", "SELECT * FROM Photos", "Photos"),
                Query("projection", "SELECT asset FROM Photos", "Photos", ["asset"]),
                Query(
                    "predicate", "SELECT asset FROM Photos WHERE collectionName = 'Solo'", "Photos",
                    ["asset"], equals: ("collectionName", "Solo")),
                Query(
                    "order", "SELECT asset FROM Photos ORDER BY creationDate DESC LIMIT 1", "Photos",
                    ["asset"], first: ("creationDate", true, 1)),
            ]
        default: nil
        }
    }

    private init(
        _ name: String, _ sql: String, _ table: String, _ columns: [String] = [],
        equals: (String, String)? = nil, first: (String, Bool, Int)? = nil,
        child: (String, String, String)? = nil
    ) {
        self.name = name
        self.sql = sql
        self.table = table
        self.columns = columns
        self.equals = equals
        self.first = first
        self.child = child
    }
}

/// What a query's answer came to, so that ways to answer can be compared: rows, nulls, bytes of text, handles of assets.
///
/// Adding it up touches every value that came back. Handles of assets are made anew each time, so their length does
/// not count; times are text for the source and numbers for the engine, so theirs does not either.
struct Tally: Equatable {
    var rows = 0
    var nulls = 0
    var bytes = 0
    var numbers = 0.0
    /// Handles of assets that were handed on.
    var handles = 0

    /// The same but for sums of numbers, which depend on the order of rows.
    func agrees(with other: Tally) -> Bool {
        rows == other.rows && nulls == other.nulls && bytes == other.bytes
            && handles == other.handles && abs(numbers - other.numbers) <= 1e-9 * max(abs(numbers), 1)
    }
}
