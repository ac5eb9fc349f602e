import EscrowSchema
import EscrowTabular
import Foundation
import Testing

@testable import EscrowMedia
@testable import EscrowMediaFormats

/// Files of public packages, read here and by the program that people trust with files of that kind. `scripts/conformance` writes
/// what comes of it into `docs/conformance.md`.
@Suite("Conformance", .serialized)
struct ConformanceTests {
    @Test("real files read as others read them, or it is known why not", arguments: Corpus.all)
    func corpus(_ corpus: Corpus) throws {
        guard let outcome = try ConformanceRun(corpus).outcome() else { return }
        for difference in outcome.unexplained { Issue.record("\(difference)") }
        #expect(outcome.count(.equal) > 0)
        if getenv("ESCROW_ACCEPT_CONFORMANCE") != nil {
            try ConformancePage.write(outcome)
        } else if let known = try ConformancePage.row(of: corpus), known.files == "\(outcome.files)" {
            // Other versions of the packages hold other files.
            #expect(known.row == outcome.row, "scripts/conformance writes the page anew")
        }
    }

    @Test("exiftool's own pictures are read without a word")
    func silence() throws {
        guard let all = RealFiles.paths(of: "exiftool", "") else { return }
        let folder = try Folder()
        for path in all
        where [".jpg", ".png", ".heic", ".mov", ".tif", ".dng"].contains(where: path.hasSuffix) {
            let url = URL(filePath: path)
            folder.write(url.lastPathComponent, try Data(contentsOf: url))
        }
        let log = ProblemLog()
        #expect(try Table("Photos", .photos, folder.path, log: log).rows("title").count >= 46)
        #expect(log.reasons == [])
    }
}

/// The files of one kind.
struct Corpus: Sendable, CustomTestStringConvertible {
    let kind: String
    /// The packages that they are from.
    let packages: [String]
    let isMeant: @Sendable (_ path: String) -> Bool
    /// What is read of files, as the oracle's lines.
    let read: @Sendable (_ paths: [String]) throws -> [String: [String]]

    var testDescription: String { kind }

    static let all = [
        Corpus(
            kind: "contacts", packages: ["khard", "evolution", "exiftool", "samples"],
            isMeant: { $0.hasSuffix(".vcf") || $0.hasSuffix("contacts.db") },
            read: eachPath(OwnReading.contacts)),
        Corpus(
            kind: "calendar", packages: ["icalendar", "recurring-ical-events", "samples"],
            isMeant: { $0.hasSuffix(".ics") }, read: eachPath(OwnReading.calendar)),
        Corpus(
            kind: "location", packages: ["gpxpy", "exiftool", "samples"], isMeant: { $0.hasSuffix(".gpx") },
            read: eachPath(OwnReading.location)),
        Corpus(
            kind: "mail", packages: ["python-mails", "flufl.bounce"],
            isMeant: { $0.hasSuffix(".txt") && ($0.contains("/msg_") || $0.contains("/tests/data/")) },
            read: OwnReading.mail),
        Corpus(
            kind: "photos", packages: ["exiftool", "piexif", "samples"],
            isMeant: { MediaKind(fileExtension: ending(of: $0)) != nil }, read: OwnReading.photos),
        Corpus(
            kind: "music", packages: ["mutagen", "exiftool", "samples"],
            isMeant: { AudioKind(fileExtension: ending(of: $0)) != nil }, read: OwnReading.music),
    ]

    private static func ending(of path: String) -> String { URL(filePath: path).pathExtension.lowercased() }

    private static func eachPath(
        _ read: @escaping @Sendable (String) throws -> [String]
    ) -> @Sendable ([String]) throws -> [String: [String]] {
        { paths in
            var found: [String: [String]] = [:]
            for path in paths { found[path] = try read(path) }
            return found
        }
    }
}

/// What a file's two readings have to do with each other.
enum Verdict: String, Codable, CaseIterable { case equal, better, worse, neither }

/// One comparison of all files of a kind.
struct ConformanceRun {
    private let corpus: Corpus

    init(_ corpus: Corpus) { self.corpus = corpus }

    private struct Told: Decodable {
        var oracle: String?
        var file: String?
        var values: [String]?
        var unsure: [String]?
    }

    /// Why values of a kind differ.
    private struct Difference: Decodable {
        let kind: String
        /// The end of the file's path; empty for any file.
        let file: String
        let keys: [String]
        let verdict: Verdict
        let reason: String
    }

    /// Nil, after a word, if there are no files, or no oracle.
    func outcome() throws -> ConformanceOutcome? {
        let packages = corpus.packages.compactMap { name in
            RealFiles.paths(of: name, "").map { (name: name, paths: $0.filter(corpus.isMeant)) }
        }
        let paths = packages.flatMap(\.paths)
        guard !paths.isEmpty, let (oracle, told) = try told(paths) else { return nil }
        let own = try corpus.read(paths)
        let known = try JSONDecoder().decode(
            [Difference].self,
            from: Data(
                contentsOf: URL(filePath: Repository.root + "/Tests/Vectors/conformance/differences.json")))
        var outcome = ConformanceOutcome(
            kind: corpus.kind, oracle: oracle, packages: packages.map(\.name), files: paths.count)
        for path in paths {
            let ours = (own[path] ?? []).map(Self.canonical).filter(Self.saysAnything)
            guard let theirs = told[path] else {
                outcome.add(
                    ours.isEmpty ? .neither : .better,
                    ours.isEmpty ? nil : "the oracle does not read the file")
                continue
            }
            let unsure = Set(theirs.unsure ?? [])
            let different = Self.differences(
                ours, (theirs.values ?? []).map(Self.canonical).filter(Self.saysAnything), unsure)
            var verdict = Verdict.equal
            for (key, readings) in different.sorted(by: { $0.key < $1.key }) {
                let found = known.first {
                    $0.kind == corpus.kind && path.hasSuffix($0.file) && $0.keys.contains(key)
                }
                guard let found else {
                    outcome.unexplained.append("\(path), \(key): \(readings.ours), not \(readings.theirs)")
                    verdict = .worse
                    continue
                }
                if verdict != .worse { verdict = found.verdict }
                outcome.note(found.verdict, found.reason, path)
            }
            outcome.add(verdict, nil)
        }
        return outcome
    }

    private func told(_ paths: [String]) throws -> (oracle: String, files: [String: Told])? {
        let folder = try Folder()
        let list = folder.write("list", paths.joined(separator: "\n"))
        let script = Repository.root + "/Tests/Vectors/conformance/oracle.py"
        guard let text = Python.run("'\(script)' \(corpus.kind) '\(list)'", needs: "json"), !text.isEmpty
        else {
            print("SKIP: the oracle of \(corpus.kind) is not installed")
            return nil
        }
        let lines = try text.split(separator: "\n").map {
            try JSONDecoder().decode(Told.self, from: Data($0.utf8))
        }
        let files = lines.compactMap { line in line.file.map { ($0, line) } }
        return (lines[0].oracle ?? "", Dictionary(files, uniquingKeysWith: { first, _ in first }))
    }

    private static func key(_ line: String) -> String { String(line.prefix { $0 != "|" }) }

    private static func saysAnything(_ line: String) -> Bool {
        line.hasPrefix("n|") || line.utf8.count > key(line).utf8.count + 1
    }

    /// A line with single spaces, and fractions as Swift spells them.
    private static func canonical(_ line: String) -> String {
        line.split(separator: "|", omittingEmptySubsequences: false).map { part in
            let text = part.unicodeScalars.split {
                $0.properties.isWhitespace || (0x1C...0x1F).contains($0.value)
            }
            .map { String($0) }.joined(separator: " ")
            guard text.contains("."), let number = Double(text) else { return text }
            return "\(number + 0)"
        }.joined(separator: "|")
    }

    /// The keys whose values are not the same, with both readings.
    private static func differences(
        _ ours: [String], _ theirs: [String], _ unsure: Set<String>
    ) -> [String: (ours: [String], theirs: [String])] {
        let ours = Dictionary(grouping: ours, by: key)
        let theirs = Dictionary(grouping: theirs, by: key)
        var found: [String: (ours: [String], theirs: [String])] = [:]
        for key in Set(ours.keys).union(theirs.keys) where !unsure.contains(key) {
            // No length and none that is known are the same.
            let none = key == "duration" ? ["duration|0.0"] : []
            let pair = ((ours[key] ?? none).sorted(), (theirs[key] ?? none).sorted())
            if pair.0.count != pair.1.count || !zip(pair.0, pair.1).allSatisfy({ isSame(key, $0, $1) }) {
                found[key] = pair
            }
        }
        return found
    }

    private static func isSame(_ key: String, _ own: String, _ other: String) -> Bool {
        if own == other { return true }
        guard let a = Double(own.dropFirst(key.count + 1)), let b = Double(other.dropFirst(key.count + 1))
        else {
            return false
        }
        // Players' estimates of a length differ; exiftool rounds quotients of 32 bits to 10 digits.
        return abs(a - b) <= (key == "duration" ? 0.2 : 1e-9 * abs(b))
    }
}

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

    static func row(of corpus: Corpus) throws -> (row: String, files: String)? {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        guard let row = lines.first(where: { $0.hasPrefix("| \(corpus.kind) |") }) else { return nil }
        return (row, row.split(separator: "|")[3].trimmingCharacters(in: .whitespaces))
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
