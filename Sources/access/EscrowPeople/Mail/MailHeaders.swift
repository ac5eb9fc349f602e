internal import EscrowFormats
internal import EscrowTableKit

enum MailField: UInt8, CaseIterable {
    case messageID, date, subject, from, to, cc, bcc, inReplyTo, references, listID, contentType
    case status, xStatus, mozillaStatus, hasAttachment

    /// Recognises a field's name, without regard to case.
    init?(_ name: ArraySlice<UInt8>) {
        // Most fields are of no interest; their length tells.
        guard let found = Self.names.first(where: { name.equalsIgnoringCase($0.0) })?.1 else { return nil }
        self = found
    }

    private static let names: [(StaticString, MailField)] = [
        ("MESSAGE-ID", .messageID), ("DATE", .date), ("SUBJECT", .subject), ("FROM", .from), ("TO", .to),
        ("CC", .cc), ("BCC", .bcc), ("IN-REPLY-TO", .inReplyTo), ("REFERENCES", .references),
        ("LIST-ID", .listID), ("CONTENT-TYPE", .contentType), ("STATUS", .status), ("X-STATUS", .xStatus),
        ("X-MOZILLA-STATUS", .mozillaStatus), ("X-MS-HAS-ATTACH", .hasAttachment),
    ]
}

struct MailFieldSet: OptionSet {
    let rawValue: UInt32
    init(rawValue: UInt32) { self.rawValue = rawValue }
    init(_ fields: some Sequence<MailField>) { rawValue = fields.reduce(0) { $0 | 1 << UInt32($1.rawValue) } }
    /// The fields in which programs keep flags of the mails of an mbox.
    static let inMbox = MailFieldSet([.status, .xStatus, .mozillaStatus])
    var count: Int { rawValue.nonzeroBitCount }
    func contains(_ field: MailField) -> Bool { rawValue & 1 << UInt32(field.rawValue) != 0 }
}

/// The headers of one mail, as far as they are wanted, unfolded.
struct MailHeaders {
    /// The most bytes of headers that are looked at; what follows them counts as the mail's text.
    static let limit = 1 << 20

    enum Progress {
        case inside
        /// The empty line behind them.
        case ended
        /// No part of them: they ended before it, or are too long.
        case outside
    }

    private struct Line {
        let field: MailField
        var range: Range<Int>
    }

    private var arena: [UInt8] = []
    private var lines: [Line] = []
    private var byteCount = 0
    /// Whether the field in hand is kept.
    private var isKept = false
    private var lineCount = 0
    private let wanted: MailFieldSet
    /// Whether the headers were cut off.
    private(set) var isTooLong = false

    init(_ wanted: MailFieldSet) { self.wanted = wanted }

    /// Forgets all fields.
    mutating func removeAll() {
        // One mail with long headers must not make all others carry its memory.
        arena.removeAll(keepingCapacity: arena.capacity <= 1 << 16)
        lines.removeAll(keepingCapacity: lines.capacity <= 1 << 10)
        byteCount = 0
        lineCount = 0
        isKept = false
        isTooLong = false
    }

    /// Whether there is any field that is wanted.
    var hasFields: Bool { !lines.isEmpty }

    /// The first field of a name, unfolded.
    func first(_ field: MailField) -> ArraySlice<UInt8>? {
        lines.first { $0.field == field }.map { arena[$0.range] }
    }

    /// The fields of a kind: an address field may come more than once.
    func all(_ field: MailField) -> [ArraySlice<UInt8>] {
        lines.filter { $0.field == field }.map { arena[$0.range] }
    }

    /// Takes a line, or a piece of one, in the order of the file.
    mutating func take(_ piece: ArraySlice<UInt8>, continuesLine: Bool, endsLine: Bool) -> Progress {
        if !continuesLine, endsLine, piece.isEmpty { return .ended }
        byteCount += piece.count
        guard byteCount <= Self.limit else {
            isTooLong = true
            return .outside
        }
        if continuesLine || (lineCount > 0 && piece.first.map { $0 == 0x20 || $0 == 0x09 } == true) {
            append(piece)
            return .inside
        }
        lineCount += 1
        isKept = false
        guard let colon = Self.nameEnd(piece) else {
            // Some programs leave an mbox's separator in a file of one mail, or an escaped one in the headers.
            let rest = piece.first == UInt8(ascii: ">") ? piece.dropFirst() : piece
            return MboxReader.isSeparator(rest) ? .inside : .outside
        }
        // Old mail has white space before the colon.
        let name = piece[..<colon].trimmed
        if let field = MailField(name), wanted.contains(field) {
            isKept = true
            lines.append(Line(field: field, range: arena.count..<arena.count))
            append(piece[(colon + 1)...])
        }
        return .inside
    }

    private mutating func append(_ piece: ArraySlice<UInt8>) {
        guard isKept, let last = lines.indices.last else { return }
        arena.append(contentsOf: piece)
        lines[last].range = lines[last].range.lowerBound..<arena.count
    }

    static func beginsField(_ line: ArraySlice<UInt8>) -> Bool { nameEnd(line) != nil }

    /// The colon behind a field's name; nil if the line begins no field.
    private static func nameEnd(_ line: ArraySlice<UInt8>) -> Int? {
        for index in line.indices {
            let byte = line[index]
            if byte == UInt8(ascii: ":") { return index > line.startIndex ? index : nil }
            if byte == 0x20 || byte == 0x09 {
                // Only white space up to the colon.
                guard index > line.startIndex,
                    let next = line[index...].firstIndex(where: { $0 != 0x20 && $0 != 0x09 }),
                    line[next] == UInt8(ascii: ":")
                else { return nil }
                return next
            }
            guard byte >= 0x21, byte <= 0x7E else { return nil }
        }
        return nil
    }
}

/// What is kept of a file of one mail: the fields that rows of `Messages` are made of.
extension MailHeaders: FileFacts {
    static let indexName = "mail"
    static let indexVersion = 1
    /// The fields that are kept. Recipients are most of a header and seldom asked for, so they are not.
    static let kept = MailFieldSet([
        .messageID, .date, .subject, .from, .inReplyTo, .references, .listID, .contentType, .hasAttachment,
    ])

    func append(to bytes: inout [UInt8]) -> Bool {
        guard !isTooLong else { return false }
        return bytes.keep { (field: MailField) in
            guard Self.kept.contains(field), let text = first(field) else { return nil }
            // Of all mails of a thread the last is of interest.
            return field == .references
                ? text[(text.lastIndex(of: Self.threadMark) ?? text.startIndex)...] : text
        }
    }

    init?(_ bytes: UnsafeRawBufferPointer) {
        self.init(Self.kept)
        arena.reserveCapacity(bytes.count)
        lines.reserveCapacity(Self.kept.count)
        var reader = KeptReader(bytes)
        while !reader.isAtEnd {
            guard let (field, text): (MailField, _) = reader.field(), Self.kept.contains(field),
                field != .references || !text.dropFirst().contains(Self.threadMark)
            else { return nil }
            let start = arena.count
            arena.append(contentsOf: text)
            lines.append(Line(field: field, range: start..<arena.count))
        }
    }

    /// What the name of a mail begins with where a thread's are listed.
    private static let threadMark = UInt8(ascii: "<")
}
