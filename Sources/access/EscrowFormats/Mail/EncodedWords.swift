/// Text of header fields with encoded words, `=?utf-8?Q?J=C3=B6rg?=` (RFC 2047), and with bytes above ASCII (RFC 6532).
package enum EncodedWords {
    /// One encoded word.
    private struct Word {
        let charset: ArraySlice<UInt8>
        var bytes: [UInt8]
        /// Where the text goes on behind it.
        let end: Int
    }

    /// Decodes a field's text to clean UTF-8 on one line: white space between two encoded words goes, and words of one charset
    /// are joined before they are converted, for some programs cut characters in two. What is no encoded word stays as it
    /// is, and what is not UTF-8 is read as Windows-1252.
    package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        guard text.contains(UInt8(ascii: "=")) else {
            TextRepair.append(text, to: &output)
            flatten(&output)
            return output
        }
        var pending: Word?
        var plain = text.startIndex
        var index = text.startIndex
        // Set once no word can end any more, so that a text of many beginnings is not searched again and again.
        var mayEnd = true
        while mayEnd, let start = text[index...].firstIndex(of: UInt8(ascii: "=")) {
            guard let word = word(in: text, at: start, &mayEnd) else {
                index = start + 1
                continue
            }
            let gap = text[plain..<start]
            if let last = pending {
                let isJoined = gap.allSatisfy(\.isMailSpace)
                if isJoined, last.charset.elementsEqual(word.charset) {
                    pending = Word(charset: word.charset, bytes: last.bytes + word.bytes, end: word.end)
                    (index, plain) = (word.end, word.end)
                    continue
                }
                convert(last, into: &output)
                if !isJoined { TextRepair.append(gap, to: &output) }
            } else {
                TextRepair.append(gap, to: &output)
            }
            pending = word
            (index, plain) = (word.end, word.end)
        }
        if let pending { convert(pending, into: &output) }
        TextRepair.append(text[plain...], to: &output)
        flatten(&output)
        return output
    }

    /// The word that begins at an index.
    private static func word(in text: ArraySlice<UInt8>, at start: Int, _ mayEnd: inout Bool) -> Word? {
        let mark = UInt8(ascii: "?")
        var index = start + 1
        guard index < text.endIndex, text[index] == mark else { return nil }
        index += 1
        // The longest name of a charset that IANA lists has 45 letters; a language may follow it (RFC 2231).
        guard let nameEnd = text[index...].prefix(80).firstIndex(of: mark), nameEnd > index,
            nameEnd + 2 < text.endIndex, text[nameEnd + 2] == mark
        else { return nil }
        let name = text[index..<nameEnd].prefix { $0 != UInt8(ascii: "*") }
        let isQ = text[nameEnd + 1] | 0x20 == UInt8(ascii: "q")
        guard isQ || text[nameEnd + 1] | 0x20 == UInt8(ascii: "b") else { return nil }
        let content = nameEnd + 3
        var end = content
        while true {
            guard let found = text[end...].firstIndex(of: mark), found + 1 < text.endIndex else {
                mayEnd = false
                return nil
            }
            if text[found + 1] == UInt8(ascii: "=") {
                end = found
                break
            }
            // Another word begins here: the one before was cut off.
            if found > content, text[found - 1] == UInt8(ascii: "=") { return nil }
            end = found + 1
        }
        var bytes: [UInt8] = []
        if isQ {
            // In a header an underscore is a space, whatever the charset.
            let spaced = text[content..<end].map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }
            QuotedPrintable.decode(spaced[...], into: &bytes)
        } else {
            bytes = base64(text[content..<end])
        }
        return Word(charset: name, bytes: bytes, end: end + 2)
    }

    /// Decodes base 64 as far as it goes, passing over what does not belong there.
    private static func base64(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count * 3 / 4)
        var bits: UInt32 = 0
        var count = 0
        for byte in text {
            guard let value = byte.base64Digit else { continue }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return output
    }

    /// The charset of a name; some programs write `iso_8859-1`.
    private static func charset(_ name: ArraySlice<UInt8>) -> Charset? {
        Charset(name) ?? Charset(name.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }[...])
    }

    private static func convert(_ word: Word, into output: inout [UInt8]) {
        if Charset.isUnicode(word.charset) { return TextRepair.append(word.bytes[...], to: &output) }
        var converted: [UInt8] = []
        if ISO2022JP.isNamed(word.charset) {
            if ISO2022JP.convert(word.bytes[...], into: &converted) {
                return TextRepair.append(converted[...], to: &output)
            }
        } else if let charset = charset(word.charset), charset.convert(word.bytes[...], into: &converted) {
            return TextRepair.append(converted[...], to: &output)
        }
        // A charset that nobody knows: its ASCII at least.
        for byte in word.bytes where byte != 0 {
            if byte < 0x80 { output.append(byte) } else { output.append(contentsOf: [0xEF, 0xBF, 0xBD]) }
        }
    }

    /// Puts spaces for control characters: an encoded line break must not make two lines of a subject.
    private static func flatten(_ text: inout [UInt8]) {
        for index in text.indices where (text[index] < 0x20 && text[index] != 0x09) || text[index] == 0x7F {
            text[index] = 0x20
        }
    }
}

extension UInt8 {
    /// Whether it is white space within a header field; line breaks are gone already.
    package var isMailSpace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }
}
