extension TerminalText {
    /// What to do next, with commands in it. A command goes on behind a backslash, since half of one could allow more than the
    /// whole; a sentence goes on without.
    public static func help(_ text: String, width: Int?) -> [String] {
        guard text.contains("escrow ") else { return hanging(text, width: width) }
        let lines = hanging(text, width: width, joint: joint)
        var before = ""
        return lines.enumerated().map { index, line in
            guard index < lines.count - 1, line.hasSuffix(joint) else { return line }
            let words = String(line.dropLast(joint.count))
            before += words.drop { $0 == " " } + " "
            return endsInCommand(before[...]) ? line : words
        }
    }

    /// The lines of a page of the host's own, with what its source broke put together again: a terminal breaks it elsewhere.
    public static func unwrapped(_ page: String) -> [String] {
        page.split(separator: "\n", omittingEmptySubsequences: false).reduce(into: []) { lines, line in
            let last = lines.last ?? ""
            let isBroken = last.count >= shortestBroken && !(last.last.map { ".:`".contains($0) } ?? true)
            if isBroken, let first = line.first, first.isLetter || first.isNumber || "`(\"".contains(first) {
                lines[lines.count - 1] += " " + line
            } else {
                lines.append(String(line))
            }
        }
    }

    private static let shortestBroken = 90
    private static let joint = " \\"

    /// Whether a text breaks off within a command: one in backticks is over with the second, any other with a semicolon
    /// outside quotes.
    private static func endsInCommand(_ text: Substring) -> Bool {
        guard
            let start = text.ranges(of: "escrow ").last(where: { !text[..<$0.lowerBound].hasSuffix("the ") })
        else { return false }
        let command = text[start.upperBound...]
        if text[..<start.lowerBound].hasSuffix("`") { return !command.contains("`") }
        let bare = command.split(omittingEmptySubsequences: false) { $0 == "'" || $0 == "\"" }
            .enumerated().lazy.filter { $0.offset % 2 == 0 }
        return !bare.contains { $0.element.contains(";") }
    }
}
