import Glibc

/// Words on a terminal, in lines that the host itself begins.
///
/// A terminal breaks a line that is wider than itself, and what comes behind the break stands where questions stand: whoever
/// wrote the text would begin a line. So lines are broken here, and counted as the widest that any terminal draws them.
public enum TerminalText {
    /// Narrower than this nothing is laid out, and nobody is asked.
    public static let least = 20
    /// Where a terminal does not say how wide it is.
    private static let usual = 80
    /// What stands before a line that goes on.
    private static let indent = 4

    /// Whether lines are written to be heard: by a screen reader, which knows no columns, and for whom a line that is drawn over
    /// and over never ends.
    @TaskLocal public static var isSpoken =
        getenv("ESCROW_SCREEN_READER").map { !["", "0"].contains(String(cString: $0)) } ?? false

    /// How many columns the terminal behind a descriptor has; nil if there is none.
    public static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1 else { return nil }
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return usual }
        return Int(size.ws_col)
    }

    /// The text in pieces of at most so many columns, broken at spaces; a longer word is broken itself, after a `|` if it
    /// has one.
    public static func wrapped(_ text: String, to room: Int) -> [String] {
        guard text.widest > room else { return [text] }
        let room = max(2, room)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            var word = word[...]
            if !line.isEmpty {
                if line.widest + 1 + word.widest <= room {
                    line += " " + word
                    continue
                }
                lines.append(line)
                line = ""
            }
            while word.widest > room {
                let head = word.widestPrefix(room)
                let cut = head.lastIndex(of: "|").map { word[...$0] } ?? head
                lines.append(String(cut))
                word = word[cut.endIndex...]
            }
            line = String(word)
        }
        return lines + [line]
    }

    /// One sentence of the host's with words of others in it: whatever stands behind a line end, or does not fit, goes on
    /// behind the host's own indent. `joint` stands at the end of each line that goes on. Without a width only line ends
    /// break it.
    public static func hanging(_ text: String, width: Int?, joint: String = "") -> [String] {
        let lead = text.prefix { $0 == " " }.count
        let width = width.map { max(8, $0) }
        let hang = width.map { min(lead + indent, $0 / 2) } ?? lead + indent
        let left = String(repeating: " ", count: hang)
        var lines: [String] = []
        for (index, part) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .enumerated()
        {
            let first = index == 0 ? String(repeating: " ", count: min(lead, hang)) : left
            let words = String(index == 0 ? part.dropFirst(lead) : part)
            guard let width else {
                lines.append((index == 0 ? String(repeating: " ", count: lead) : left) + words)
                continue
            }
            let pieces = wrapped(words, to: width - hang - joint.count)
            for (number, piece) in pieces.enumerated() {
                lines.append((number == 0 ? first : left) + piece + (number < pieces.count - 1 ? joint : ""))
            }
        }
        return lines
    }

    /// Words of others as they are, line by line, each behind a mark of the host's.
    public static func quoted(_ text: String, width: Int?) -> [String] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { line in
            guard let width else { return [String(line)] }
            return wrapped(String(line), to: max(least, width) - mark.count)
        }.map { mark + $0 }
    }

    private static let mark = "  | "

    /// A label of the host's with a text: where it is heard, one sentence after the other; else beside the label where there is room for both, else below it,
    /// each line behind a mark.
    public static func row(_ label: String, _ text: String, indent: Int, width: Int) -> [String] {
        let width = max(least, width)
        if isSpoken { return hanging("\(label): \(text)", width: width) }
        guard width >= indent + roomBeside, label.count + 3 <= indent else {
            return ["  \(label)"] + wrapped(text, to: width - mark.count - 2).map { "  " + mark + $0 }
        }
        let left = String(repeating: " ", count: indent)
        return wrapped(text, to: width - indent).enumerated().map { index, line in
            index == 0 ? "  \(label)" + left.dropFirst(label.count + 2) + line : left + line
        }
    }

    /// Beside a label a text of fewer columns would be a thread of single words.
    private static let roomBeside = 30
}

extension StringProtocol {
    /// The most columns that a terminal may draw the text in.
    ///
    /// Terminals differ about letters that are wide in East Asia alone (`é`, `…`, `а`), about emoji newer than themselves and
    /// about marks that they cannot put on a letter. So a letter beyond ASCII counts as two, and a mark as one.
    public var widest: Int {
        let plain = utf8.withContiguousStorageIfAvailable { bytes in
            bytes.allSatisfy { $0 < 0x80 } ? bytes.count : nil
        }
        if let plain, let plain { return plain }
        return unicodeScalars.reduce(0) { $0 + $1.widest }
    }

    /// The longest beginning of at most so many columns, and of one letter at least where there is one. Some letters of
    /// Unicode are joined from any number of parts (the Korean ones are): such a one is cut up.
    public func widestPrefix(_ columns: Int) -> SubSequence {
        var width = 0
        var end = startIndex
        while end < endIndex {
            let letter = self[end].unicodeScalars.reduce(0) { $0 + $1.widest }
            if width + letter > columns {
                guard end == startIndex else { break }
                while end < endIndex, width + unicodeScalars[end].widest <= columns || end == startIndex {
                    width += unicodeScalars[end].widest
                    end = unicodeScalars.index(after: end)
                }
                break
            }
            width += letter
            end = index(after: end)
        }
        return self[..<end]
    }
}

extension Unicode.Scalar {
    fileprivate var widest: Int {
        if value < 0x80 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: return 1
        default: return 2
        }
    }
}
