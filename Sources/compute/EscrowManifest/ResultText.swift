@_spi(_Unicode) import Swift

/// What a text in a result may hold, and its one spelling.
///
/// A letter that nobody sees is a way past the person who looks at a result, and so is a letter that can be spelled in two
/// ways. Numbers have one spelling by their type; texts get theirs here.
enum ResultText {
    /// Whether it is printable ASCII alone. Nearly all texts are, and to look at each letter's properties takes a hundred
    /// times as long.
    static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }

    /// Whether every letter can be seen or is a space, a tab or the end of a line. Not seen are controls, what Unicode lets a
    /// font ignore (joiners of zero width, selectors, fillers, tags), marks of direction, blank signs, and what stands for
    /// no letter at all.
    static func isVisible(_ text: String) -> Bool {
        isPlain(text) || text.unicodeScalars.allSatisfy(isVisible)
    }

    /// The text with every letter composed (NFC): a letter and its mark are one letter, however the plugin wrote it.
    static func composed(_ text: String) -> String {
        if isPlain(text) { return text }
        var composed = String.UnicodeScalarView()
        for scalar in text._nfc { composed.append(scalar) }
        return String(composed)
    }

    static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value >= 0x20 || "\t\n\r".unicodeScalars.contains(scalar) }
        switch scalar.value {
        // The braille pattern without dots, the null notehead, the object that is not there.
        case 0x2800, 0x1D159, 0xFFFC: return false
        default: break
        }
        if scalar.properties.isDefaultIgnorableCodePoint { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .surrogate: return false
        default: return true
        }
    }
}
