internal import EscrowSchema
internal import EscrowTabular

/// The table that an account book serves.
enum AccountBookSpec {
    /// The positions of the columns of `Expenses`.
    enum Column: Int, CaseIterable {
        case id, day, month, cents, amount, classification, account, shop, note, photo, groupName
    }

    static let expenses = TableSpec(
        name: "Expenses", sourceKind: "account-book",
        summary: "One row is one record of an account book that a group shares.",
        columns: [
            ColumnSpec("id", .text, nullable: false, "The record's identifier, the same on every device."),
            ColumnSpec("day", .text, "The day of the record, for example `2027-01-31`."),
            ColumnSpec("month", .text, "Its month, for example `2027-01`."),
            ColumnSpec("cents", .integer, nullable: false, "The amount in cents; negative for income."),
            ColumnSpec("amount", .real, nullable: false, "The amount; negative for income."),
            ColumnSpec("classification", .text, "What it was for, for example `food`."),
            ColumnSpec("account", .text, "What it was paid from."),
            ColumnSpec("shop", .text, "Where it was paid."),
            ColumnSpec("note", .text, "What somebody wrote beside it."),
            ColumnSpec("photo", .text, "The name of the file of its photo, if it has one."),
            ColumnSpec("groupName", .text, nullable: false, "What the group is called on this device."),
        ],
        examples: [
            "SELECT month, sum(amount) AS spent FROM Expenses WHERE classification = 'food' GROUP BY month ORDER BY month",
            "SELECT day, shop, amount FROM Expenses WHERE day >= '2027-01-01' ORDER BY day DESC LIMIT 20",
        ])
}
