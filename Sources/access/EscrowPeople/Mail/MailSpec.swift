internal import EscrowSchema
internal import EscrowTabular

/// The tables that mail serves: what stands in the headers, never a message's text.
enum MailSpec {
    /// The positions of the columns of `Messages`.
    enum Message: Int, CaseIterable {
        case id, folder, timestamp, subject, fromName, fromAddress, inReplyTo, listID, mayHaveAttachment
        case size, isSeen, isFlagged, isAnswered, isDraft, isDeleted
    }

    /// The positions of the columns of `MessageRecipients`.
    enum Recipient: Int, CaseIterable {
        case messageID, folder, position, kind, name, address
    }

    static let messages = TableSpec(
        name: "Messages", sourceKind: "mail",
        summary: "One row is one mail: what its headers say, never its text.",
        columns: [
            ColumnSpec(
                "id", .text, nullable: false,
                "The Message-ID without its brackets, which copies of one mail share; without one, a name made of the "
                    + "place."),
            ColumnSpec(
                "folder", .text, cost: .free,
                "The mail folder with those above it, for example `Lists/swift`; null for a lone file."),
            ColumnSpec("timestamp", .timestamp, "When it was sent, as its sender says."),
            ColumnSpec("subject", .text, "The subject."),
            ColumnSpec("fromName", .text, "The name of the first author."),
            ColumnSpec("fromAddress", .text, "The address of the first author."),
            ColumnSpec("inReplyTo", .text, "The Message-ID of the mail that it answers."),
            ColumnSpec("listID", .text, "The mailing list that it came by, for example `swift.example.org`."),
            ColumnSpec(
                "mayHaveAttachment", .boolean, nullable: false,
                "Whether its headers hint at an attachment; its parts are not looked at."),
            ColumnSpec(
                "size", .integer, nullable: false, cost: .free, "The size in bytes, headers and text."),
            ColumnSpec("isSeen", .boolean, nullable: false, cost: .free, "Whether it was read."),
            ColumnSpec("isFlagged", .boolean, nullable: false, cost: .free, "Whether the person marked it."),
            ColumnSpec("isAnswered", .boolean, nullable: false, cost: .free, "Whether it was answered."),
            ColumnSpec("isDraft", .boolean, nullable: false, cost: .free, "Whether it is a draft."),
            ColumnSpec(
                "isDeleted", .boolean, nullable: false, cost: .free,
                "Whether it is marked as deleted, but still there."),
        ],
        examples: [
            "SELECT timestamp, fromName, subject FROM Messages WHERE isSeen = 0 ORDER BY timestamp DESC LIMIT 20",
            "SELECT fromAddress, count(*) AS mails FROM Messages WHERE timestamp >= '2026-01-01' "
                + "GROUP BY fromAddress ORDER BY mails DESC LIMIT 10",
            "SELECT folder, count(*) AS mails, sum(size) AS bytes FROM Messages GROUP BY folder",
        ])

    static let recipients = TableSpec(
        name: "MessageRecipients", sourceKind: "mail",
        summary: "One row is one address that a mail was sent to.",
        columns: [
            ColumnSpec("messageID", .text, nullable: false, "The `id` of the mail in `Messages`."),
            ColumnSpec(
                "folder", .text, cost: .free, "The folder of the mail, which tells copies of one mail apart."),
            ColumnSpec(
                "position", .integer, nullable: false, "Its place among the mail's addresses, from 1."),
            ColumnSpec("kind", .text, nullable: false, "`to`, `cc` or `bcc`."),
            ColumnSpec("name", .text, "The name that stands by the address."),
            ColumnSpec("address", .text, "The address."),
        ],
        examples: [
            "SELECT address, count(*) AS mails FROM MessageRecipients WHERE kind = 'to' GROUP BY address "
                + "ORDER BY mails DESC LIMIT 10",
            "SELECT m.timestamp, r.address FROM Messages m JOIN MessageRecipients r "
                + "ON r.messageID = m.id AND r.folder IS m.folder WHERE m.folder = 'Sent'",
        ])
}
