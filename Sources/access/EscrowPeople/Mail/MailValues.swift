internal import EscrowFormats
internal import EscrowSchema
internal import EscrowTableKit
internal import EscrowTabular

/// Makes the values of rows out of headers.
struct MailValues {
    private typealias Column = MailSpec.Message
    /// The longest Message-ID that counts as one, a line of the longest allowed length (RFC 5322, 2.1.1). It stands in each
    /// row of a mail's recipients, so it must not be long.
    static let idLimit = 998

    private var id: [UInt8] = []

    /// The header fields that some columns are made of.
    static func fields(for columns: ColumnMask, of part: MailTable.Part) -> MailFieldSet {
        var fields: [MailField] = []
        switch part {
        case .recipients:
            fields = [.to, .cc, .bcc]
            if columns.contains(MailSpec.Recipient.messageID.rawValue) { fields.append(.messageID) }
        case .messages:
            for column in columns.columns.compactMap(Column.init) {
                switch column {
                case .id: fields.append(.messageID)
                case .timestamp: fields.append(.date)
                case .subject: fields.append(.subject)
                case .fromName, .fromAddress: fields.append(.from)
                case .inReplyTo: fields += [.inReplyTo, .references]
                case .listID: fields.append(.listID)
                case .mayHaveAttachment: fields += [.contentType, .hasAttachment]
                case .folder, .size, .isSeen, .isFlagged, .isAnswered, .isDraft, .isDeleted: break
                }
            }
        }
        return MailFieldSet(fields)
    }

    /// The columns that a listing of a Maildir tells.
    static let listed: [MailSpec.Message] = [
        .size, .isSeen, .isFlagged, .isAnswered, .isDraft, .isDeleted,
    ]

    /// The value of such a column.
    static func listed(_ column: MailSpec.Message, size: Int64, _ flags: MailFlags) -> Int64 {
        switch column {
        case .isSeen: flags.contains(.seen) ? 1 : 0
        case .isFlagged: flags.contains(.flagged) ? 1 : 0
        case .isAnswered: flags.contains(.answered) ? 1 : 0
        case .isDraft: flags.contains(.draft) ? 1 : 0
        case .isDeleted: flags.contains(.deleted) ? 1 : 0
        default: size
        }
    }

    /// Sets the row of a mail, what costs least first.
    mutating func set(
        _ message: MailMessage, _ flags: MailFlags, folder: [UInt8]?, place: String, part: Int?,
        in row: RowBuilder
    ) {
        let headers = message.headers
        row.set(Column.folder, folder?[...])
        for column in Self.listed {
            row.set(column, Self.listed(column, size: message.size, flags))
        }
        row.set(Column.timestamp, headers.first(.date).flatMap(MailDate.read))
        row.set(Column.mayHaveAttachment, Self.mayHaveAttachment(headers))
        if row.wants(Column.id) {
            readID(headers, place: place, part: part)
            row.set(Column.id, id[...])
        }
        if row.wants(Column.inReplyTo) {
            let field = headers.first(.inReplyTo).flatMap { Self.identifier($0, last: false) }
            let answered = field ?? headers.first(.references).flatMap { Self.identifier($0, last: true) }
            row.set(Column.inReplyTo, repairing: answered)
        }
        if row.wants(Column.listID), let field = headers.first(.listID) {
            let text = Self.identifier(field, last: true) ?? field.trimmed
            row.set(Column.listID, repairing: text)
        }
        if row.wants(Column.fromName) || row.wants(Column.fromAddress),
            let field = headers.first(.from)
        {
            var list = MailAddressList(field)
            if let author = list.next() {
                setText(Column.fromName, author.name, in: row)
                setText(Column.fromAddress, author.address, in: row)
            }
        }
        if row.wants(Column.subject), let field = headers.first(.subject) {
            setText(Column.subject, EncodedWords.decode(field), in: row)
        }
    }

    /// Makes ready what all rows of a mail's recipients share.
    mutating func prepare(_ headers: MailHeaders, place: String, part: Int?, in row: RowBuilder) {
        guard row.wants(MailSpec.Recipient.messageID) else { return }
        readID(headers, place: place, part: part)
    }

    func set(_ recipient: MailRecipients.Recipient, folder: [UInt8]?, in row: RowBuilder) {
        typealias Column = MailSpec.Recipient
        row.set(Column.position, recipient.position)
        row.set(Column.kind, recipient.kind.withUTF8Buffer { Array($0) }[...])
        setText(Column.address, recipient.address.address, in: row)
        setText(Column.name, recipient.address.name, in: row)
        row.set(Column.messageID, id[...])
        row.set(Column.folder, folder?[...])
    }

    private func setText(_ column: some RawRepresentable<Int>, _ text: [UInt8], in row: RowBuilder) {
        let trimmed = text[...].trimmed
        if !trimmed.isEmpty { row.set(column, trimmed) }
    }

    private mutating func readID(_ headers: MailHeaders, place: String, part: Int?) {
        id.removeAll(keepingCapacity: true)
        if let field = headers.first(.messageID), let found = Self.identifier(field, last: false),
            found.count <= Self.idLimit
        {
            TextRepair.append(found, to: &id)
        }
        if id.isEmpty { id = Array(StableID.name(place, part: part).utf8) }
    }

    /// What stands between angle brackets, the first or the last; without any the first word.
    private static func identifier(_ field: ArraySlice<UInt8>, last: Bool) -> ArraySlice<UInt8>? {
        let open = UInt8(ascii: "<")
        let start = last ? field.lastIndex(of: open) : field.firstIndex(of: open)
        if let start, let end = field[start...].firstIndex(of: UInt8(ascii: ">")) {
            let found = field[(start + 1)..<end].trimmed
            return found.isEmpty ? nil : found
        }
        guard !last else { return nil }
        let word = field.trimmed.prefix { !$0.isMailSpace }
        return word.isEmpty ? nil : word
    }

    /// A mail of mixed parts nearly always has an attachment, and one that is no text is one.
    private static func mayHaveAttachment(_ headers: MailHeaders) -> Bool {
        if headers.first(.hasAttachment)?.trimmed.equalsIgnoringCase("YES") == true { return true }
        guard let field = headers.first(.contentType) else { return false }
        let type = field.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "(") }.trimmed
        guard let slash = type.firstIndex(of: UInt8(ascii: "/")) else { return false }
        let main = type[..<slash].trimmed
        if main.equalsIgnoringCase("MULTIPART") {
            return type[(slash + 1)...].trimmed.equalsIgnoringCase("MIXED")
        }
        return ["APPLICATION", "IMAGE", "AUDIO", "VIDEO"].contains { main.equalsIgnoringCase($0) }
    }
}
