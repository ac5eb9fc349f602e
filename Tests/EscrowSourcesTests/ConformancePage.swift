import Foundation

/// How many files of a kind read how.
struct ConformanceOutcome {
    let kind: String
    let oracle: String
    let packages: [String]
    let files: Int
    var unexplained: [String] = []
    private var counts: [Verdict: Int] = [:]
    private var reasons: [String: (verdict: Verdict, files: Set<String>)] = [:]
    private var anonymous: [String: Int] = [:]

    init(kind: String, oracle: String, packages: [String], files: Int) {
        self.kind = kind
        self.oracle = oracle
        self.packages = packages
        self.files = files
    }

    mutating func add(_ verdict: Verdict, _ reason: String?) {
        counts[verdict, default: 0] += 1
        if let reason { anonymous[reason, default: 0] += 1 }
    }

    mutating func note(_ verdict: Verdict, _ reason: String, _ file: String) {
        reasons[reason, default: (verdict, [])].files.insert(file)
    }

    func count(_ verdict: Verdict) -> Int { counts[verdict] ?? 0 }

    /// The line of the table.
    var row: String {
        let numbers = ([files] + Verdict.allCases.map(count)).map(String.init)
        return "| " + ([kind, oracle, packages.joined(separator: ", ")] + numbers).joined(separator: " | ")
            + " |"
    }

    /// Each reason with its verdict and the number of files.
    var explanations: [String] {
        let known = reasons.map { (verdict: $0.value.verdict, reason: $0.key, files: $0.value.files.count) }
        let others = anonymous.map { (verdict: Verdict.better, reason: $0.key, files: $0.value) }
        return (known + others).sorted { ($0.verdict.rawValue, $0.reason) < ($1.verdict.rawValue, $1.reason) }
            .map { "- \(kind), \($0.verdict.rawValue), \($0.files): \($0.reason)" }
    }
}

/// The page that tells of it.
enum ConformancePage {
    private static let path = Repository.root + "/docs/conformance.md"

    static func row(of corpus: Corpus) throws -> String? {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        return lines.first { $0.hasPrefix("| \(corpus.kind) |") }
    }

    /// Puts a kind's row and explanations in place of those that are there.
    static func write(_ outcome: ConformanceOutcome) throws {
        var lines = try String(contentsOfFile: path, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        lines.removeAll { $0.hasPrefix("| \(outcome.kind) |") || $0.hasPrefix("- \(outcome.kind), ") }
        func insert(_ new: [String], behind prefix: String) {
            guard let place = lines.lastIndex(where: { $0.hasPrefix(prefix) }) else { return }
            lines.insert(contentsOf: new, at: place + 1)
        }
        insert([outcome.row], behind: "|")
        insert(outcome.explanations, behind: "<!-- differences -->")
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }
}
