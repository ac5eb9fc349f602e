/// Text from others, made fit to be shown in a prompt.
///
/// Whoever wrote a manifest or named an app chose these words, and a terminal obeys what is hidden in them: escape
/// sequences move the cursor and repaint what was said before, direction marks reverse it, a line break or a long run of
/// spaces forges a line of the sheet. So every control, format and private character becomes its visible code, and every
/// kind of space one space.
public enum PlainText {
    /// The most characters that one text may take on the sheet: a longer one could push the rest off the screen.
    public static let longest = 300

    /// The text without anything that a terminal would obey.
    public static func neutral(_ text: String, longest: Int = longest) -> String {
        if isNeutral(text, longest) { return text }
        var shown = ""
        var count = 0
        var marks = 0
        var isAfterSpace = true
        for scalar in text.unicodeScalars {
            if count >= longest { return shown + "…" }
            if isBlank(scalar) {
                let code = "‹U+\(hexadecimal(scalar.value))›"
                shown += code
                count += code.count
                marks = 0
                isAfterSpace = false
                continue
            }
            switch scalar.properties.generalCategory {
            case .spaceSeparator where scalar.value != 0x1680, .control where scalar.properties.isWhitespace:
                if !isAfterSpace { shown.unicodeScalars.append(" ") }
                count += isAfterSpace ? 0 : 1
                isAfterSpace = true
                continue
            case .control, .format, .privateUse, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator,
                .spaceSeparator:
                let code = "‹U+\(hexadecimal(scalar.value))›"
                shown += code
                count += code.count
            case .nonspacingMark, .enclosingMark, .spacingMark:
                // Letters of real languages carry a few marks; a hundred of them paint over the lines above and below.
                marks += 1
                guard marks <= 3 else { continue }
                shown.unicodeScalars.append(scalar)
                isAfterSpace = false
                continue
            default:
                shown.unicodeScalars.append(scalar)
                count += 1
            }
            marks = 0
            isAfterSpace = false
        }
        while shown.last == " " { shown.removeLast() }
        return shown
    }

    /// The same however long it is: for a sentence of the host's, each item of which was made short by itself.
    public static func whole(_ text: String) -> String { neutral(text, longest: .max) }

    /// Whether a text is as it should be already: ASCII letters, digits and signs with single spaces between them. Nearly
    /// all texts are, and to look at each letter's properties takes a hundred times as long.
    private static func isNeutral(_ text: String, _ longest: Int) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.count <= longest else { return false }
            var isAfterSpace = true
            for byte in bytes {
                guard byte >= 0x20, byte < 0x7F, byte != 0x20 || !isAfterSpace else { return false }
                isAfterSpace = byte == 0x20
            }
            return bytes.isEmpty || !isAfterSpace
        } ?? false
    }

    /// Whether a letter, mark or sign shows nothing: a row of them pushes words to where a line of the sheet would stand.
    /// One selector of an emoji's shape is no row.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // The braille pattern without dots, and the null notehead.
        case 0x2800, 0x1D159: true
        case 0xFE0E, 0xFE0F: false
        default:
            scalar.properties.isDefaultIgnorableCodePoint && scalar.properties.generalCategory != .format
        }
    }

    /// UTF-8 text, whole, with everything that a terminal would obey as its code: for what the individual wants to see
    /// exactly. Spaces stay as they are, and so do line ends.
    public static func verbatim(_ bytes: [UInt8]) -> String {
        var shown = ""
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where scalar == "\n": shown.unicodeScalars.append(scalar)
            case .control, .format, .privateUse, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator:
                shown += "‹U+\(hexadecimal(scalar.value))›"
            case .spaceSeparator where scalar != " ": shown += "‹U+\(hexadecimal(scalar.value))›"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    /// Somebody else's sentence, in quotation marks that it cannot close by itself.
    public static func quoted(_ text: String) -> String {
        let text = neutral(text)
        guard text.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(text)\"" }
        // Scalar by scalar: a mark upon a quotation mark makes another character of both, and it looks the same.
        var inner = ""
        for scalar in text.unicodeScalars {
            inner.unicodeScalars.append(scalar == "\"" ? "'" : scalar)
        }
        return "\"\(inner)\""
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
