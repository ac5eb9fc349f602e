extension StringProtocol {
    /// How many columns the text takes on a terminal: two for a wide letter of East Asia and for an emoji, none for a mark
    /// upon a letter. Unicode Standard Annex 11; the same as wcwidth(3) of a UTF-8 locale says, without needing one.
    public var displayWidth: Int {
        // Looked at as bytes in a row: letter by letter costs a hundred times as much, and nearly all texts are ASCII.
        let plain = utf8.withContiguousStorageIfAvailable { bytes in
            bytes.allSatisfy { $0 < 0x80 } ? bytes.count : nil
        }
        if let plain, let plain { return plain }
        return reduce(0) { $0 + $1.displayWidth }
    }
}

extension Character {
    /// The columns of a letter with all its marks.
    public var displayWidth: Int {
        var width = 0
        for scalar in unicodeScalars {
            // The selector makes an emoji of what stands before it.
            if scalar.value == 0xFE0F { return 2 }
            width += scalar.displayWidth
        }
        return width
    }
}

extension Unicode.Scalar {
    fileprivate var displayWidth: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        case .format: return properties.isDefaultIgnorableCodePoint ? 0 : 1
        default: break
        }
        switch value {
        // Vowels and finals that join a Korean syllable.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        // Two of these letters make one flag.
        case 0x1F1E6...0x1F1FF: return 1
        // The blocks of the Wide and Fullwidth letters that are no emoji.
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F,
            0xAC00...0xD7AF, 0xF900...0xFAFF, 0xFE10...0xFE1F, 0xFE30...0xFE6F, 0xFF01...0xFF60,
            0xFFE0...0xFFE6, 0x16FE0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD:
            return 2
        default: return properties.isEmojiPresentation ? 2 : 1
        }
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    package var trimmed: String {
        var text = drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
