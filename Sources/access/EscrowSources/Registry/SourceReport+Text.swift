internal import EscrowTableKit

extension SourceReport {
    /// The most faults, and the most reasons, that the short text names.
    static let shownLimit = 20

    /// The report as a person reads it, line by line.
    ///
    /// - Parameter all: whether each file has its line. If not, a source of a hundred thousand files takes a few dozen lines: for how
    ///   many files each reason stands, then the first faults one by one. Files of other kinds are no faults, and counted apart.
    public func lines(all: Bool) -> [String] {
        let heading =
            "\(entry.kind.rawValue)  \(Self.onOneLine(entry.path)): \(Self.counted(rowCount, "row")), "
            + "\(skippedCount) of \(Self.counted(files.count - otherCount, "file")) skipped"
            + (otherCount > 0 ? "; beside them \(Self.counted(otherCount, "file")) of other kinds" : "")
        var lines = [heading] + (all ? fileLines : summaryLines)
        if unlistedCount > 0 {
            lines.append("  and \(Self.counted(unlistedCount, "problem")) more, which no list holds")
        }
        return lines
    }

    /// For how many files each reason stands, most often first.
    var reasons: [(reason: String, files: Int)] {
        var counts: [String: Int] = [:]
        for file in files {
            for reason in Set(file.problems.map(\.reason)) { counts[reason, default: 0] += 1 }
        }
        return counts.map { (reason: $0.key, files: $0.value) }
            .sorted { $0.files == $1.files ? $0.reason < $1.reason : $0.files > $1.files }
    }

    private var summaryLines: [String] {
        let reasons = reasons
        guard let most = reasons.first?.files else { return [] }
        let width = "\(most)".count
        var lines = ["  files by reason:"]
        for (reason, files) in reasons.prefix(Self.shownLimit) {
            let count = String(repeating: " ", count: width - "\(files)".count) + "\(files)"
            lines.append("    \(count)  \(reason)")
        }
        if reasons.count > Self.shownLimit {
            lines.append("    and \(Self.counted(reasons.count - Self.shownLimit, "reason")) more")
        }
        var faults = 0
        var shown: [String] = []
        for file in files {
            faults += file.problemCount
            for problem in file.problems {
                guard shown.count < Self.shownLimit else { break }
                let line = problem.line.map { ", line \($0)" } ?? ""
                shown.append("    \(Self.onOneLine(file.path))\(line): \(problem.reason)")
            }
        }
        if !shown.isEmpty { lines += ["  faults:"] + shown }
        if faults > shown.count { lines.append("    and \(faults - shown.count) more; --all shows them") }
        return lines
    }

    private var fileLines: [String] {
        files.flatMap { file in
            if file.isOther { return ["  other    \(Self.onOneLine(file.path))"] }
            let done = file.isSkipped ? "skipped" : "read   "
            var lines = ["  \(done)  \(Self.onOneLine(file.path))  \(Self.counted(file.rowCount, "row"))"]
            for problem in file.problems {
                lines.append(
                    "             " + (problem.line.map { "line \($0): " } ?? "") + problem.reason)
            }
            let unseen = file.problemCount - file.problems.count
            return unseen > 0 ? lines + ["             and \(unseen) more"] : lines
        }
    }

    private static func counted(_ count: Int, _ word: String) -> String {
        count == 1 ? "1 \(word)" : "\(count) \(word)s"
    }

    /// A path with its line ends and tabs as escapes: a file's name must not look like another file's line.
    private static func onOneLine(_ path: String) -> String {
        guard path.utf8.contains(where: { $0 < 0x20 }) else { return path }
        return String(
            path.unicodeScalars.map { $0.value < 0x20 ? "\\u{\(String($0.value, radix: 16))}" : "\($0)" }
                .joined())
    }
}
