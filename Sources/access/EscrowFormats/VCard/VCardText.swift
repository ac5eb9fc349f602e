/// Decodes the values of a card into clean UTF-8.
package struct VCardText {
    private var converted: [UInt8] = []
    private var decoded: [UInt8] = []
    private var unescaped: [UInt8] = []

    package init() {}

    /// Appends a property's text, or one component of a structured value (`N`, `ADR`, `ORG`), to `output`.
    ///
    /// - Returns: whether there is any text.
    package mutating func append(
        _ parameters: VCardParameters, component: Int? = nil, of card: VCard, to output: inout [UInt8]
    ) -> Bool {
        guard var text = converted(parameters, of: card) else { return false }
        if let component {
            guard let part = Self.component(component, of: text) else { return false }
            text = part
        }
        return append(text, parameters, card.version, to: &output)
    }

    /// The items of a list (`CATEGORIES`), at most `limit`; empty ones are left out.
    package mutating func items(_ parameters: VCardParameters, of card: VCard, limit: Int) -> [[UInt8]] {
        guard let text = converted(parameters, of: card) else { return [] }
        var items: [[UInt8]] = []
        var start = text.startIndex
        var index = start
        while index <= text.endIndex, items.count < limit {
            if index == text.endIndex || text[index] == UInt8(ascii: ",") {
                var item: [UInt8] = []
                if append(text[start..<index], parameters, card.version, to: &item) { items.append(item) }
                start = index + 1
            } else if text[index] == UInt8(ascii: "\\"), index + 1 < text.endIndex {
                index += 1
            }
            index += 1
        }
        return items
    }

    /// A property's value, converted from its charset where that must come first; nil for binary.
    private mutating func converted(_ parameters: VCardParameters, of card: VCard) -> ArraySlice<UInt8>? {
        guard !parameters.isBase64 else { return nil }
        let text = card.arena[parameters.value]
        // A charset may use the bytes of `;` and `\` within characters: convert before splitting. In quoted-printable the
        // separators are those that stand in the open.
        guard let charset = parameters.charset, !parameters.isQuotedPrintable else { return text }
        converted.removeAll(keepingCapacity: true)
        return charset.convert(text, into: &converted) ? converted[...] : text
    }

    /// Decodes a value or a part of one.
    private mutating func append(
        _ text: ArraySlice<UInt8>, _ parameters: VCardParameters, _ version: VCard.Version,
        to output: inout [UInt8]
    ) -> Bool {
        var text = text
        if parameters.isQuotedPrintable {
            decoded.removeAll(keepingCapacity: true)
            QuotedPrintable.decode(text, into: &decoded)
            text = decoded[...]
            if let charset = parameters.charset {
                converted.removeAll(keepingCapacity: true)
                if charset.convert(text, into: &converted) { text = converted[...] }
            }
        }
        if text.contains(UInt8(ascii: "\\")) {
            unescape(text, version: version)
            text = unescaped[...]
        }
        text = text.trimmed
        let before = output.count
        TextRepair.append(text, to: &output)
        return output.count > before
    }

    /// The part between unescaped semicolons, counted from 0.
    package static func component(_ wanted: Int, of text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var number = 0
        var start = text.startIndex
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            if byte == UInt8(ascii: "\\") {
                index = min(index + 2, text.endIndex)
                continue
            }
            if byte == UInt8(ascii: ";") {
                if number == wanted { return text[start..<index] }
                number += 1
                start = index + 1
            }
            index += 1
        }
        return number == wanted ? text[start...] : nil
    }

    /// Undoes the escapes (RFC 6350, 3.4). `\:` and `\"` are no escapes, but many programs write them. A backslash before
    /// anything else stands for itself, and in vCard 2.1 `\n` is no escape.
    private mutating func unescape(_ text: ArraySlice<UInt8>, version: VCard.Version) {
        unescaped.removeAll(keepingCapacity: true)
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            index += 1
            guard byte == UInt8(ascii: "\\"), index < text.endIndex else {
                unescaped.append(byte)
                continue
            }
            switch text[index] {
            case UInt8(ascii: "n"), UInt8(ascii: "N"):
                if version == .v21 {
                    unescaped.append(byte)
                    continue
                }
                unescaped.append(0x0A)
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\\"), UInt8(ascii: ":"),
                UInt8(ascii: "\""):
                unescaped.append(text[index])
            default:
                unescaped.append(byte)
                continue
            }
            index += 1
        }
    }
}
