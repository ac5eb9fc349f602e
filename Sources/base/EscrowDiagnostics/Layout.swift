/// Text laid out for a terminal: nothing is wider than it, so that no row is broken in the middle of a word and no cell
/// begins a line. Without a terminal a row is one line, for programs that read lines.
public struct Layout: Sendable {
    /// How many columns a line has, or nil if there is no end.
    private let width: Int?

    /// For a terminal of so many columns, or for programs.
    public init(width: Int?) { self.width = width.map { max(TerminalText.least, $0) } }

    /// The layout for stdout: for its terminal, or for programs.
    public static var ofOutput: Layout { Layout(width: TerminalText.columns(of: 1)) }

    private static let gap = 2
    /// A column that is wrapped keeps at least so many columns of the terminal.
    private static let least = 20
    /// It keeps its longest word whole, if that is not longer than this.
    private static let longestWord = 40
    /// Each line of a table begins with this on a terminal: a cell, which others may have written, never begins a line, where it
    /// could pass for words of the host's.
    private static let margin = " "
    /// Where the last column goes on beneath its row.
    private static let indent = 4

    /// Rows of cells, columns padded to their widest cell. Too wide a table has its wide cells wrapped; where that is not
    /// enough, its last column stands beneath each row, and where that is not enough either each cell behind its heading.
    public func table(_ lines: [[String]]) -> [String] {
        guard let count = lines.first?.count, count > 0 else { return [] }
        guard let width else {
            let widths = (0..<count).map { column in lines.map { $0[column].displayWidth }.max() ?? 0 }
            return lines.flatMap { row($0, widths) }
        }
        return rows(lines, count, width - Self.margin.count).map { Self.margin + $0 }
    }

    private func rows(_ lines: [[String]], _ count: Int, _ width: Int) -> [String] {
        let widths = (0..<count).map { column in lines.map { $0[column].widest }.max() ?? 0 }
        let floors = (0..<count).map { column in lines.map { Self.floor($0[column]) }.max() ?? 0 }
        if let narrow = Self.shrunk(widths, floors, to: width) {
            return lines.flatMap { row($0, narrow) }
        }
        if count > 1, let narrow = Self.shrunk(Array(widths.dropLast()), Array(floors.dropLast()), to: width)
        {
            return lines.flatMap { cells in
                let beneath = TerminalText.wrapped(cells[count - 1], to: width - Self.indent)
                return row(Array(cells.dropLast()), narrow)
                    + beneath.filter { !$0.isEmpty }.map { String(repeating: " ", count: Self.indent) + $0 }
            }
        }
        return lines.dropFirst().flatMap { cells in
            zip(lines[0], cells).flatMap { TerminalText.hanging("\($0): \($1)", width: width) } + [""]
        }
    }

    /// A line of several columns, wrapped beneath its last one.
    public func line(_ text: String) -> [String] {
        guard let width, text.widest > width else { return TerminalText.hanging(text, width: nil) }
        let characters = Array(text)
        let reach = text.widestPrefix(width / 2).count
        let start = characters.indices.dropFirst(2).last {
            $0 <= reach && characters[$0 - 1] == " " && characters[$0 - 2] == " " && characters[$0] != " "
        }
        guard let start, !text.contains(where: \.isNewline) else {
            return TerminalText.hanging(text, width: width)
        }
        let head = String(characters[..<start])
        let lines = TerminalText.wrapped(String(characters[start...]), to: width - head.widest)
        return lines.enumerated().map { index, line in
            (index == 0 ? head : String(repeating: " ", count: head.displayWidth)) + line
        }
    }

    private static func total(_ widths: [Int]) -> Int {
        widths.reduce(0, +) + gap * (widths.count - 1)
    }

    /// How narrow the column of this cell may become.
    private static func floor(_ cell: String) -> Int {
        let longest = cell.split(separator: " ").map(\.widest).max() ?? 0
        return min(cell.widest, max(least, min(longest, longestWord)))
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
    private func row(_ cells: [String], _ widths: [Int]) -> [String] {
        let columns = zip(cells, widths).map { width == nil ? [$0] : TerminalText.wrapped($0, to: $1) }
        // What is left of the line behind the table.
        let slack = width.map { max(0, $0 - Self.margin.count - Self.total(widths)) } ?? 0
        return (0..<(columns.map(\.count).max() ?? 1)).map { index in
            var text = ""
            // Some terminals draw some letters wider (`widest`) than most do (`displayWidth`). So that no line becomes too long there,
            // what the slack behind the table cannot hold is taken from the gaps between the columns.
            var reach = 0
            var end = 0
            for (column, lines) in columns.enumerated() {
                let cell = index < lines.count ? lines[index] : ""
                text += cell
                reach += cell.widest
                end += widths[column] + Self.gap
                if column < columns.count - 1 {
                    let padding = max(0, widths[column] - cell.displayWidth) + Self.gap
                    let spaces = width == nil ? padding : max(1, min(padding, end - reach + slack))
                    text += String(repeating: " ", count: spaces)
                    reach += spaces
                }
            }
            return text
        }
    }
}
