internal import EscrowFormats
internal import EscrowSchema
internal import EscrowTableKit
internal import EscrowTabular

/// The values of one card's columns, decoded when asked for.
struct CardValues {
    typealias Column = ContactsSpec.Column
    private var text = VCardText()
    private var scratch: [UInt8] = []
    private var seen = SeenIDs()

    /// The properties that a column of `Contacts` is made of.
    static func properties(for column: Column) -> [VCardProperty] {
        switch column {
        case .id: [.uid]
        case .contactType: [.kind, .showAs]
        case .givenName, .middleName, .familyName, .namePrefix, .nameSuffix: [.name]
        case .fullName: [.fullName, .name]
        case .nickname: [.nickname]
        case .organizationName, .departmentName: [.organization]
        case .jobTitle: [.title]
        case .phoneNumber: [.phone]
        case .emailAddress: [.email]
        case .urlAddress: [.url]
        case .birthday: [.birthday]
        case .note: [.note]
        case .imageDataAvailable: []
        case .modificationDate: [.revision]
        }
    }

    /// Appends a text column's value to `output`; false if the card has none.
    mutating func append(_ column: Column, of card: VCard, to output: inout [UInt8]) -> Bool {
        switch column {
        case .givenName: return append(.name, component: 1, of: card, to: &output)
        case .familyName: return append(.name, component: 0, of: card, to: &output)
        case .middleName: return append(.name, component: 2, of: card, to: &output)
        case .namePrefix: return append(.name, component: 3, of: card, to: &output)
        case .nameSuffix: return append(.name, component: 4, of: card, to: &output)
        case .nickname: return append(.nickname, component: nil, of: card, to: &output)
        case .fullName: return appendFullName(of: card, to: &output)
        case .organizationName: return append(.organization, component: 0, of: card, to: &output)
        case .departmentName: return append(.organization, component: 1, of: card, to: &output)
        case .jobTitle: return append(.title, component: nil, of: card, to: &output)
        case .phoneNumber: return appendPreferred(.phone, of: card, to: &output)
        case .emailAddress: return appendPreferred(.email, of: card, to: &output)
        case .urlAddress: return appendPreferred(.url, of: card, to: &output)
        case .note: return append(.note, component: nil, of: card, to: &output)
        case .birthday: return appendBirthday(of: card, to: &output)
        case .modificationDate: return appendRevision(of: card, to: &output)
        case .id, .contactType, .imageDataAvailable: return false
        }
    }

    /// Appends the card's UID. False if the card has none or an earlier card has the same: then ``appendPlace(of:path:to:)``
    /// must follow.
    ///
    /// - Parameter isRepeated: whether it was there before. nil to tell by the cards asked about so far: then this must be called for
    ///   every card of a scan that needs ids, in order.
    mutating func appendID(of card: VCard, isRepeated: Bool?, to output: inout [UInt8]) -> Bool {
        if let plain = Self.plainUID(of: card) {
            return card.arena.withUnsafeBytes { arena in
                let uid = UnsafeRawBufferPointer(rebasing: arena[plain])
                output.append(contentsOf: uid)
                return isRepeated.map { !$0 } ?? seen.insert(uid)
            }
        }
        return appendOddID(of: card, isRepeated: isRepeated, to: &output)
    }

    /// The same, but an id that is the UID as its line says goes to a chunk at once.
    ///
    /// - Returns: nil if it did, and else what ``appendID(of:isRepeated:to:)`` does.
    mutating func appendID(
        of card: VCard, isRepeated: Bool?, to chunk: ColumnChunk, column: Int,
        otherwiseTo output: inout [UInt8]
    ) -> Bool? {
        guard let plain = Self.plainUID(of: card) else {
            return appendOddID(of: card, isRepeated: isRepeated, to: &output)
        }
        return card.arena.withUnsafeBytes { arena in
            let uid = UnsafeRawBufferPointer(rebasing: arena[plain])
            if isRepeated.map({ !$0 }) ?? seen.insert(uid) {
                chunk.append(uid, to: column)
                return nil
            }
            output.append(contentsOf: uid)
            return false
        }
    }

    private mutating func appendOddID(of card: VCard, isRepeated: Bool?, to output: inout [UInt8]) -> Bool {
        let start = output.count
        guard append(.uid, component: nil, of: card, to: &output) else { return false }
        if let isRepeated { return !isRepeated }
        return output.withUnsafeBytes { seen.insert(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Adds a name of the card's place, for a card without a UID and for the second card with one.
    func appendPlace(of card: VCard, path: String, to output: inout [UInt8]) {
        if !output.isEmpty { output.append(UInt8(ascii: "#")) }
        output.append(contentsOf: StableID.name(path, part: card.ordinal).utf8)
    }

    /// Appends the card's whole id to nothing; returns whether its UID was there before.
    @discardableResult
    mutating func appendWholeID(
        of card: VCard, path: String, isRepeated: Bool?, to output: inout [UInt8]
    ) -> Bool {
        if appendID(of: card, isRepeated: isRepeated, to: &output) { return false }
        defer { appendPlace(of: card, path: path, to: &output) }
        return !output.isEmpty
    }

    /// Where the UID lies if it needs no decoding: no parameters, no escapes, visible ASCII. Nearly all are so, and a scan
    /// reads the id of every card.
    private static func plainUID(of card: VCard) -> Range<Int>? {
        guard let rest = card.first(.uid)?.rest, rest.count > 1 else { return nil }
        let value = rest.lowerBound + 1..<rest.upperBound
        let stands = card.arena.withUnsafeBytes { arena in
            arena[rest.lowerBound] == UInt8(ascii: ":")
                && Self.isPlain(UnsafeRawBufferPointer(rebasing: arena[value]))
        }
        return stands ? value : nil
    }

    /// Whether all bytes are ASCII that can be seen, and none is a backslash.
    private static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = 0
        while index + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let backslash = word ^ ones &* 0x5C
            let delete = word ^ ones &* 0x7F
            // The high bit of some byte is set exactly where a byte is none of those.
            let found =
                word | (word &- ones &* 0x21) & ~word | (backslash &- ones) & ~backslash
                | (delete &- ones) & ~delete
            guard found & ones &* 0x80 == 0 else { return false }
            index += 8
        }
        while index < bytes.count {
            let byte = bytes[index]
            guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "\\") else { return false }
            index += 1
        }
        return true
    }

    /// 1 for an organization, 0 for a person.
    mutating func contactType(of card: VCard) -> Int64 {
        if read(.kind, of: card), scratch[...].equalsIgnoringCase("ORG") { return 1 }
        return read(.showAs, of: card) && scratch[...].equalsIgnoringCase("COMPANY") ? 1 : 0
    }

    /// Reads a property's text into `scratch`.
    private mutating func read(_ property: VCardProperty, of card: VCard) -> Bool {
        var buffer: [UInt8] = []
        swap(&buffer, &scratch)
        buffer.removeAll(keepingCapacity: true)
        let found = append(property, component: nil, of: card, to: &buffer)
        swap(&buffer, &scratch)
        return found
    }

    private mutating func append(
        _ property: VCardProperty, component: Int?, of card: VCard, to output: inout [UInt8]
    ) -> Bool {
        for line in card.lines where line.property == property {
            guard let parameters = VCardParameters(line, in: card.arena) else { continue }
            return text.append(parameters, component: component, of: card, to: &output)
        }
        return false
    }

    private mutating func appendFullName(of card: VCard, to output: inout [UInt8]) -> Bool {
        if append(.fullName, component: nil, of: card, to: &output) { return true }
        let start = output.count
        for part in [3, 1, 2, 0, 4] {
            let before = output.count
            if before > start { output.append(0x20) }
            if !append(.name, component: part, of: card, to: &output) {
                output.removeSubrange(before...)
            }
        }
        return output.count > start
    }

    private mutating func appendPreferred(
        _ property: VCardProperty, of card: VCard, to output: inout [UInt8]
    ) -> Bool {
        let start = output.count
        var best = Int.max
        for line in card.lines where line.property == property {
            guard let parameters = VCardParameters(line, in: card.arena) else { continue }
            let rank = parameters.preference ?? 101
            guard rank < best else { continue }
            scratch.removeAll(keepingCapacity: true)
            guard appendValue(property, parameters, of: card) else { continue }
            best = rank
            output.removeSubrange(start...)
            output.append(contentsOf: scratch)
        }
        return best < Int.max
    }

    /// The text of a phone number, e-mail or web address, in `scratch`.
    private mutating func appendValue(
        _ property: VCardProperty, _ parameters: VCardParameters, of card: VCard
    ) -> Bool {
        let found = text.append(parameters, of: card, to: &scratch)
        if property == .phone { Self.stripScheme(&scratch, "TEL:") }
        if property == .email { Self.stripScheme(&scratch, "MAILTO:") }
        return found && !scratch.isEmpty
    }

    /// Version 4 writes numbers as URIs: `tel:+1-555-555-0100` (RFC 6350, 6.4.1).
    static func stripScheme(_ text: inout [UInt8], _ scheme: StaticString) {
        let count = scheme.utf8CodeUnitCount
        if text.prefix(count).equalsIgnoringCase(scheme) { text.removeSubrange(..<count) }
    }

    private mutating func appendBirthday(of card: VCard, to output: inout [UInt8]) -> Bool {
        guard let line = card.first(.birthday), let parameters = VCardParameters(line, in: card.arena) else {
            return false
        }
        scratch.removeAll(keepingCapacity: true)
        guard text.append(parameters, of: card, to: &scratch) else { return false }
        let omitted = parameters.omittedYear.flatMap { card.arena[$0].unquoted.decimal }
        if let date = VCardDate.birthday(scratch[...], omittedYear: omitted) {
            output.append(contentsOf: date.utf8)
        } else if parameters.isText {
            output.append(contentsOf: scratch)
        } else {
            return false
        }
        return true
    }

    private mutating func appendRevision(of card: VCard, to output: inout [UInt8]) -> Bool {
        guard read(.revision, of: card), let moment = VCardDate.revision(scratch[...]) else { return false }
        output.append(contentsOf: moment.iso8601.utf8)
        return true
    }
}
