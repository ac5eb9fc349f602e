/// The spelling of names, words and texts that a manifest may hold.
enum Spelling {
    /// A letter or `_`, then letters, digits or `_`; at most 64 characters, ASCII only, so that no two names look alike.
    static func isIdentifier(_ text: String) -> Bool {
        matches(text, upTo: 64) { byte, isFirst in
            isLetter(byte) || byte == 0x5F || (!isFirst && isDigit(byte))
        }
    }

    /// A lower-case letter, then lower-case letters, digits or `-`: names of endpoints and categories.
    static func isLabel(_ text: String, upTo maximum: Int = 64) -> Bool {
        matches(text, upTo: maximum) { byte, isFirst in
            isLowercase(byte) || (!isFirst && (isDigit(byte) || byte == 0x2D))
        }
    }

    /// `type/subtype` of RFC 6838 section 4.2, in lower case, without parameters and without wildcards.
    static func isMediaType(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 127 else { return false }
        return parts.allSatisfy { part in
            guard let first = part.first, isLowercase(first) || isDigit(first) else { return false }
            return part.allSatisfy { isLowercase($0) || isDigit($0) || "!#$&-^_.+".utf8.contains($0) }
        }
    }

    /// 64 lower-case hexadecimal digits.
    static func isSHA256(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { isDigit($0) || (0x61...0x66).contains($0) }
    }

    /// A relative path of a file in a package: components of letters, digits, `.`, `_`, `-`, none beginning with `.`.
    ///
    /// At most 100 bytes, which is what a ustar header holds; no `..`, no hidden files, no backslash, no second spelling
    /// of the same file on any file system but for letter case, which is checked across the list.
    static func isPackagePath(_ text: String) -> Bool {
        guard text.utf8.count <= 100 else { return false }
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count <= 8 else { return false }
        return parts.allSatisfy { part in
            guard let first = part.first, first != 0x2E, first != 0x2D else { return false }
            return part.allSatisfy { isLetter($0) || isDigit($0) || $0 == 0x2E || $0 == 0x5F || $0 == 0x2D }
        }
    }

    /// A text with a letter or a digit, all of which can be seen but for the joiners and selectors that scripts and emoji need.
    static func isSentence(_ text: String) -> Bool {
        let letters = text.unicodeScalars
        return letters.contains {
            ($0.properties.isAlphabetic || $0.properties.numericType != nil) && ResultText.isVisible($0)
        }
            && letters.allSatisfy {
                ResultText.isVisible($0) || [0x200C, 0x200D, 0xFE0E, 0xFE0F].contains($0.value)
            }
    }

    /// A name as it may stand in a message: at most 40 characters, and nothing that moves a terminal's cursor.
    static func quotable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(40).map { $0.isDisplayable ? $0 : "?" }))
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    static func isLowercase(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    static func isLetter(_ byte: UInt8) -> Bool { isLowercase(byte) || (0x41...0x5A).contains(byte) }

    private static func matches(
        _ text: String, upTo maximum: Int, _ allowed: (_ byte: UInt8, _ isFirst: Bool) -> Bool
    ) -> Bool {
        guard !text.isEmpty, text.utf8.count <= maximum else { return false }
        var isFirst = true
        for byte in text.utf8 {
            guard allowed(byte, isFirst) else { return false }
            isFirst = false
        }
        return true
    }
}

extension Unicode.Scalar {
    /// Whether the scalar may stand in a text that people are shown: nothing that ends a line, moves the cursor, turns
    /// the direction of writing ("plugin\u{202e}gnp.exe") or cannot be seen. The two joiners that scripts and emoji
    /// need are allowed.
    var isDisplayable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
        case .format: self == "\u{200C}" || self == "\u{200D}"
        default: true
        }
    }
}
