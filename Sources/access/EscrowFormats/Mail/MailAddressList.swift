/// One address of a list.
package struct MailAddress: Equatable {
    /// The display name as clean UTF-8; empty if there is none.
    package var name: [UInt8] = []
    /// The address, `ada@example.org`, as clean UTF-8; empty if there is none.
    package var address: [UInt8] = []
}

/// The addresses of `From`, `To`, `Cc` and `Bcc`, one after another (RFC 5322, 3.4 and 4.4), read with patience: mail says
/// anything, and what is wrong with one address must not lose those behind it.
///
/// Comments nest, quoted strings and domain literals hold any separator, the names of groups and old routes are passed over.
/// Time and memory grow with the text, not with what stands in it.
package struct MailAddressList {
    private let text: ArraySlice<UInt8>
    private var index: Int
    /// Cleared when a quoted string or a comment does not end, so that the rest is not searched again from each.
    private var quotesEnd = true
    private var commentsEnd = true

    /// Takes an unfolded field body.
    package init(_ text: ArraySlice<UInt8>) {
        self.text = text
        index = text.startIndex
    }

    /// What was gathered of an address that is not between angle brackets.
    private struct Entry {
        /// Words with single spaces between, quotes taken off.
        var phrase: [UInt8] = []
        /// The words as an address: without white space, quotes left on. A gap that no address has begins it anew.
        var spec: [UInt8] = []
        /// How much of the phrase stands before ``spec``.
        var nameCount = 0
        /// The last words that hold an `@`, when others follow them.
        var finished: [UInt8]?
        var comment: [UInt8] = []
        var angle: [UInt8]?
        var sawSpace = false
        var hasAt = false

        mutating func begin(_ byte: UInt8) {
            let isJoint = byte == UInt8(ascii: "@") || byte == UInt8(ascii: ".")
            if sawSpace, let last = spec.last, !isJoint, last != UInt8(ascii: "@"), last != UInt8(ascii: ".")
            {
                if hasAt, finished == nil { finished = spec }
                spec.removeAll(keepingCapacity: true)
                nameCount = phrase.count
                hasAt = false
            }
            if sawSpace, !phrase.isEmpty { phrase.append(0x20) }
            sawSpace = false
        }
    }

    /// The next address; nil at the end.
    package mutating func next() -> MailAddress? {
        while index < text.endIndex {
            let entry = readEntry()
            var found = MailAddress()
            if let angle = entry.angle {
                TextRepair.append(angle[...], to: &found.address)
                found.name = EncodedWords.decode(entry.phrase[...])
            } else if let spec = entry.finished ?? (entry.hasAt ? entry.spec : nil) {
                TextRepair.append(spec[...], to: &found.address)
                if entry.finished == nil {
                    found.name = EncodedWords.decode(entry.phrase[..<entry.nameCount])
                }
            } else if entry.nameCount == 0 {
                // One word: a mailbox of the sender's own machine.
                TextRepair.append(entry.spec[...], to: &found.address)
            } else {
                found.name = EncodedWords.decode(entry.phrase[...])
            }
            found.name = Array(found.name[...].trimmed)
            if found.name.isEmpty { found.name = Array(EncodedWords.decode(entry.comment[...])[...].trimmed) }
            if !found.name.isEmpty || !found.address.isEmpty { return found }
        }
        return nil
    }

    /// Reads up to the next separator.
    private mutating func readEntry() -> Entry {
        var entry = Entry()
        while index < text.endIndex {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ";"):
                index += 1
                return entry
            case UInt8(ascii: ":") where entry.angle == nil && !entry.hasAt:
                // What stood here was a group's name.
                index += 1
                entry = Entry()
            case UInt8(ascii: "(") where commentsEnd && readComment(into: &entry.comment):
                entry.sawSpace = true
            case UInt8(ascii: "<") where entry.angle == nil:
                index += 1
                entry.angle = readAngle()
            case UInt8(ascii: ">"): index += 1
            case UInt8(ascii: "\"") where quotesEnd && readQuoted(into: &entry): break
            case UInt8(ascii: "["): readLiteral(into: &entry)
            case _ where byte.isMailSpace:
                index += 1
                entry.sawSpace = true
            default:
                index += 1
                entry.begin(byte)
                if byte == UInt8(ascii: "@") { entry.hasAt = true }
                entry.phrase.append(byte)
                entry.spec.append(byte)
            }
        }
        return entry
    }

    /// Reads a comment, nested ones included; false, at the same place, if it does not end.
    private mutating func readComment(into comment: inout [UInt8]) -> Bool {
        var content: [UInt8] = []
        var depth = 0
        var at = index
        while at < text.endIndex {
            switch text[at] {
            case UInt8(ascii: "\\") where at + 1 < text.endIndex:
                at += 1
                content.append(text[at])
            case UInt8(ascii: "("):
                if depth > 0 { content.append(text[at]) }
                depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 {
                    index = at + 1
                    if !comment.isEmpty, !content.isEmpty { comment.append(0x20) }
                    comment += content
                    return true
                }
                content.append(text[at])
            default: content.append(text[at])
            }
            at += 1
        }
        commentsEnd = false
        return false
    }

    /// Reads a quoted string; false, at the same place, if it does not end.
    private mutating func readQuoted(into entry: inout Entry) -> Bool {
        guard let (content, raw) = quoted() else { return false }
        entry.begin(UInt8(ascii: "\""))
        entry.phrase += content
        entry.spec += raw
        return true
    }

    private mutating func quoted() -> (content: [UInt8], raw: ArraySlice<UInt8>)? {
        var content: [UInt8] = []
        var at = index + 1
        while at < text.endIndex {
            switch text[at] {
            case UInt8(ascii: "\\") where at + 1 < text.endIndex:
                at += 1
                content.append(text[at])
            case UInt8(ascii: "\""):
                let raw = text[index...at]
                index = at + 1
                return (content, raw)
            default: content.append(text[at])
            }
            at += 1
        }
        quotesEnd = false
        return nil
    }

    /// Reads a domain literal, `[192.0.2.1]`; without its end only the bracket.
    private mutating func readLiteral(into entry: inout Entry) {
        entry.begin(text[index])
        // The longest that means anything is an IPv6 address.
        let end = text[index...].prefix(256).firstIndex(of: UInt8(ascii: "]")) ?? index
        entry.phrase += text[index...end]
        entry.spec += text[index...end]
        index = end + 1
    }

    /// Reads behind `<` up to `>`, or where that is missing up to the next address.
    private mutating func readAngle() -> [UInt8] {
        var address: [UInt8] = []
        var unused: [UInt8] = []
        while index < text.endIndex {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: ">"):
                index += 1
                return address
            case UInt8(ascii: ",") where address.first != UInt8(ascii: "@"), UInt8(ascii: ";"): return address
            case UInt8(ascii: ":") where address.first == UInt8(ascii: "@"):
                // An old route, `@relay,@relay:`, of no interest since 1989.
                address.removeAll()
                index += 1
            case UInt8(ascii: "(") where commentsEnd && readComment(into: &unused): break
            case UInt8(ascii: "\"") where quotesEnd:
                if let (_, raw) = quoted() {
                    address += raw
                } else {
                    address.append(byte)
                    index += 1
                }
            default:
                if !byte.isMailSpace, byte != UInt8(ascii: "<") { address.append(byte) }
                index += 1
            }
        }
        return address
    }
}
