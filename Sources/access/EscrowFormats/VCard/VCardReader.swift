package import EscrowSourceFiles

/// Reads a file of vCards one card at a time (vCard 2.1; RFC 2426; RFC 6350).
///
/// Lines are unfolded as they pass; a property that nobody asked for, a picture above all, is passed over block by
/// block and never kept. What is served never depends on what was asked for: the limits count every property that
/// could be a column, wanted or not.
package struct VCardReader: ~Copyable {
    /// The longest unfolded line that is kept.
    static let lineLimit = 1 << 20
    /// The most bytes of known properties in a card.
    package static let cardLimit = 4 << 20
    /// The most known properties in a card.
    static let propertyLimit = 10_000

    private enum State {
        case outside, inside
        case nested(Int)
        case tooLarge
    }

    private var reader: BlockReader
    private let wanted: VCardPropertySet
    private let onProblem: (FileProblem) -> Void
    private var state = State.outside
    private var cards = 0
    /// Reading of the current logical line.
    private var property = VCardProperty.other
    private var keeping = false
    private var counted = 0
    private var lineCount = 0
    private var properties = 0
    private var lastByte: UInt8 = 0
    private var quotedPrintable = false
    private var agentOpen = false
    private var skippingLine = false

    package init(
        _ file: consuming Descriptor, size: Int64, wanted: VCardPropertySet,
        onProblem: @escaping (FileProblem) -> Void
    ) {
        reader = BlockReader(file, limit: size)
        var all = wanted
        all.formUnion(VCardPropertySet([.version, .kind, .label]))
        self.wanted = all
        self.onProblem = onProblem
    }

    /// Reads the next whole card; false at the end of the file.
    package mutating func next(into card: inout VCard) -> Bool {
        if reader.looksUTF16 {
            onProblem(FileProblem("the file is UTF-16; convert it with iconv -f UTF-16 -t UTF-8"))
            return false
        }
        while let piece = reader.next() {
            if piece.continuesLine {
                if !skippingLine { extend(&card, with: piece.range) }
            } else if continuesLogicalLine(piece) {
                if !skippingLine { unfold(&card, with: piece.range) }
            } else {
                closeLine(&card)
                if begin(piece, in: &card) {
                    note(piece.range)
                    return true
                }
            }
            note(piece.range)
        }
        if let failure = reader.failure { onProblem(.unreadable(errno: failure)) }
        closeLine(&card)
        if case .outside = state {
        } else {
            onProblem(FileProblem("a card that does not end", line: card.line, partial: true))
            state = .outside
        }
        return false
    }

    /// Goes on with the card that begins at an offset, the file's number `ordinal`.
    package mutating func seek(to offset: Int64, ordinal: Int) {
        reader.seek(to: offset)
        state = .outside
        cards = ordinal
        property = .other
        keeping = false
        skippingLine = false
        quotedPrintable = false
        agentOpen = false
        lineCount = 0
        lastByte = 0
    }

    private mutating func note(_ range: Range<Int>) {
        if let last = range.last { lastByte = reader.buffer[last] }
    }

    /// A line that begins with white space goes on the line before it (RFC 6350, 3.2), and so does a line after a soft
    /// break of quoted-printable.
    private func continuesLogicalLine(_ piece: BlockReader.Piece) -> Bool {
        guard case .outside = state else {
            guard let first = piece.range.first else { return false }
            let byte = reader.buffer[first]
            if byte == 0x20 || byte == 0x09 { return true }
            return quotedPrintable && lastByte == UInt8(ascii: "=")
                && !reader.buffer[piece.range].prefix(9).equalsIgnoringCase("END:VCARD")
        }
        return false
    }

    /// Joins a continuation line.
    private mutating func unfold(_ card: inout VCard, with range: Range<Int>) {
        guard !quotedPrintable || lastByte != UInt8(ascii: "=") else {
            // The `=` of a soft break is no part of the text.
            if keeping, card.arena.last == UInt8(ascii: "=") { card.arena.removeLast() }
            extend(&card, with: range)
            return
        }
        // vCard 2.1 folds before white space that belongs to the text; the later versions insert one character.
        extend(&card, with: card.version == .v21 ? range : range.dropFirst())
    }

    private mutating func extend(_ card: inout VCard, with range: Range<Int>) {
        guard property != .other, property != .photo, property != .agent else { return }
        counted += range.count
        lineCount += range.count
        if lineCount > Self.lineLimit {
            skippingLine = true
            if keeping { card.lines.removeLast() }
            keeping = false
        }
        guard keeping else { return }
        card.arena.append(contentsOf: reader.buffer[range])
        let last = card.lines.count - 1
        card.lines[last].rest = card.lines[last].rest.lowerBound..<card.arena.count
    }

    /// What is known only at the end of a logical line.
    private mutating func closeLine(_ card: inout VCard) {
        if lineCount > Self.lineLimit {
            onProblem(
                FileProblem(
                    "a property of more than \(Self.lineLimit) bytes was left out", line: card.line,
                    partial: true))
        }
        if keeping, property == .version, let line = card.lines.last {
            let value = card.arena[line.rest].trimmed
            if value.last == UInt8(ascii: "1") {
                card.version = .v21
            } else {
                card.version = value.dropFirst().first == UInt8(ascii: "4") ? .v40 : .v30
            }
            card.arena.removeSubrange(line.rest.lowerBound...)
            card.lines.removeLast()
        }
        if counted > Self.cardLimit || properties > Self.propertyLimit, case .inside = state {
            state = .tooLarge
            card.arena.removeAll()
            card.lines.removeAll()
        }
        keeping = false
        skippingLine = false
        quotedPrintable = false
        property = .other
        lineCount = 0
        lastByte = 0
    }

    /// Takes the first piece of a logical line; true if a card is complete.
    private mutating func begin(_ piece: BlockReader.Piece, in card: inout VCard) -> Bool {
        let bytes = reader.buffer[piece.range]
        var nameStart = bytes.startIndex
        var index = bytes.startIndex
        let stop = min(bytes.endIndex, bytes.startIndex + 128)
        while index < stop, bytes[index] != UInt8(ascii: ":"), bytes[index] != UInt8(ascii: ";") {
            if bytes[index] == UInt8(ascii: ".") { nameStart = index + 1 }
            index += 1
        }
        guard index < stop else {
            // No name: a blank line, the tail of unindented base64, or noise.
            property = .other
            return false
        }
        property = VCardProperty(bytes[nameStart..<index])
        switch property {
        case .begin: beginCard(bytes[index...].dropFirst().trimmed, piece, &card)
        case .end:
            if bytes[index...].dropFirst().trimmed.equalsIgnoringCase("VCARD") { return endCard(&card) }
        default: beginProperty(bytes, nameStart: nameStart, nameEnd: index, piece, &card)
        }
        return false
    }

    private mutating func beginCard(
        _ what: ArraySlice<UInt8>, _ piece: BlockReader.Piece, _ card: inout VCard
    ) {
        guard what.equalsIgnoringCase("VCARD") else { return }
        switch state {
        case .nested(let depth): state = .nested(depth + 1)
        case .inside where agentOpen: state = .nested(1)
        default:
            if case .outside = state {
            } else {
                onProblem(FileProblem("a card that does not end", line: card.line, partial: true))
            }
            card.reset()
            card.ordinal = cards
            card.line = reader.line
            card.offset = piece.offset
            cards += 1
            state = .inside
            counted = 0
            properties = 0
        }
        agentOpen = false
    }

    private mutating func endCard(_ card: inout VCard) -> Bool {
        property = .other
        switch state {
        case .outside: return false
        case .nested(let depth):
            state = depth > 1 ? .nested(depth - 1) : .inside
            return false
        case .tooLarge:
            onProblem(
                FileProblem(
                    "a card of more than \(Self.cardLimit) bytes was left out", line: card.line, partial: true
                ))
            state = .outside
            return false
        case .inside:
            state = .outside
            return true
        }
    }

    private mutating func beginProperty(
        _ bytes: ArraySlice<UInt8>, nameStart: Int, nameEnd: Int, _ piece: BlockReader.Piece,
        _ card: inout VCard
    ) {
        guard case .inside = state else { return }
        agentOpen = property == .agent && bytes[nameEnd...].dropFirst().trimmed.isEmpty
        // Even of a property that nobody wants, the end must be found.
        quotedPrintable = card.version != .v40 && Self.namesQuotedPrintable(bytes[nameEnd...])
        if property == .photo { card.hasPhoto = true }
        guard property != .other, property != .photo, property != .agent else { return }
        counted += bytes.count
        properties += 1
        lineCount = bytes.count
        guard wanted.contains(property), properties <= Self.propertyLimit else { return }
        keeping = true
        let start = card.arena.count
        card.arena.append(contentsOf: bytes)
        let shift = start - bytes.startIndex
        let group = nameStart > bytes.startIndex ? start..<nameStart - 1 + shift : start..<start
        card.lines.append(
            VCard.Line(
                property: property, group: group, rest: nameEnd + shift..<card.arena.count,
                offset: piece.offset))
    }

    /// Whether the parameters, which end at the first colon, say quoted-printable.
    private static func namesQuotedPrintable(_ rest: ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: ";") else { return false }
        var start = rest.startIndex + 1
        var index = start
        while index < rest.endIndex {
            let byte = rest[index]
            if byte == UInt8(ascii: ":") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "=") {
                if index - start == 16, rest[start..<index].equalsIgnoringCase("QUOTED-PRINTABLE") {
                    return true
                }
                if byte == UInt8(ascii: ":") { return false }
                start = index + 1
            }
            index += 1
        }
        return false
    }
}
