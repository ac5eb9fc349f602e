import EscrowDiagnostics
import Glibc

/// Text laid out for a terminal: nothing is wider than it, so that no row is broken in the middle of a word. Without a
/// terminal a row is one line, for programs that read lines.
struct Layout {
    /// How many columns a line has, or nil if there is no end.
    let width: Int?

    /// What stdout is.
    static var ofOutput: Layout {
        var size = winsize()
        guard isatty(1) == 1, ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 40 else {
            return Layout(width: nil)
        }
        return Layout(width: Int(size.ws_col))
    }

    private static let gap = 2
    /// A column that is wrapped keeps at least this, or a word of at most so many characters whole.
    private static let least = 20
    private static let longestWord = 40
    /// Where the last column goes on beneath its row.
    private static let indent = 4

    /// Rows of cells, columns padded to their widest cell. Too wide a table has its wide cells wrapped; where that is not
    /// enough, its last column stands beneath each row.
    func table(_ lines: [[String]]) -> [String] {
        guard let count = lines.first?.count, count > 0 else { return [] }
        let widths = (0..<count).map { column in lines.map { $0[column].displayWidth }.max() ?? 0 }
        guard let width, Self.total(widths) > width else { return lines.map { Self.row($0, widths)[0] } }
        let floors = (0..<count).map { column in lines.map { Self.floor($0[column]) }.max() ?? 0 }
        if let narrow = Self.shrunk(widths, floors, to: width) {
            return lines.flatMap { Self.row($0, narrow) }
        }
        guard count > 1,
            let narrow = Self.shrunk(Array(widths.dropLast()), Array(floors.dropLast()), to: width)
        else {
            return lines.map { Self.row($0, widths)[0] }
        }
        return lines.flatMap { cells in
            let beneath = Self.wrapped(cells[count - 1], to: width - Self.indent)
            return Self.row(Array(cells.dropLast()), narrow)
                + beneath.filter { !$0.isEmpty }.map { String(repeating: " ", count: Self.indent) + $0 }
        }
    }

    /// A line of several columns, wrapped beneath its last one.
    func line(_ text: String) -> [String] {
        guard let width, text.displayWidth > width else { return [text] }
        let characters = Array(text)
        let reach = text.displayPrefix(width / 2).count
        let start = characters.indices.dropFirst(2).last {
            $0 <= reach && characters[$0 - 1] == " " && characters[$0 - 2] == " " && characters[$0] != " "
        }
        let head = start.map { String(characters[..<$0]) } ?? ""
        let hang = start == nil ? Self.gap : head.displayWidth
        let lines = Self.wrapped(String(characters[(start ?? 0)...]), to: width - hang)
        return lines.enumerated().map { index, line in
            (index == 0 ? head : String(repeating: " ", count: hang)) + line
        }
    }

    private static func total(_ widths: [Int]) -> Int {
        widths.reduce(0, +) + gap * (widths.count - 1)
    }

    /// How narrow the column of this cell may become.
    private static func floor(_ cell: String) -> Int {
        let longest = cell.split(separator: " ").map(\.displayWidth).max() ?? 0
        return min(cell.displayWidth, max(least, min(longest, longestWord)))
    }

    /// The widths with the widest made narrower until they fit; nil if that would leave one below its floor.
    private static func shrunk(_ widths: [Int], _ floors: [Int], to width: Int) -> [Int]? {
        var widths = widths
        while total(widths) > width {
            let shrinkable = widths.indices.filter { widths[$0] > floors[$0] }
            guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { return nil }
            widths[widest] -= 1
        }
        return widths
    }

    /// One row: as many lines as its longest cell needs, at least one.
    private static func row(_ cells: [String], _ widths: [Int]) -> [String] {
        let columns = zip(cells, widths).map { wrapped($0, to: $1) }
        return (0..<(columns.map(\.count).max() ?? 1)).map { index in
            var text = ""
            for (column, lines) in columns.enumerated() {
                let cell = index < lines.count ? lines[index] : ""
                text += cell
                if column < columns.count - 1 {
                    text += String(repeating: " ", count: max(0, widths[column] - cell.displayWidth) + gap)
                }
            }
            return text
        }
    }

    /// The text in lines of at most so many columns, broken at spaces; a longer word is broken itself,
    /// after a `|` if it has one.
    private static func wrapped(_ text: String, to width: Int) -> [String] {
        guard text.displayWidth > width, width > 0 else { return [text] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            var word = word[...]
            if !line.isEmpty {
                if line.displayWidth + 1 + word.displayWidth <= width {
                    line += " " + word
                    continue
                }
                lines.append(line)
                line = ""
            }
            while word.displayWidth > width {
                let room = word.displayPrefix(width)
                let head = room.lastIndex(of: "|").map { word[...$0] } ?? room
                lines.append(String(head))
                word = word[head.endIndex...]
            }
            line = String(word)
        }
        return lines + [line]
    }
}
