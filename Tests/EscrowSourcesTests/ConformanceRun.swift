import Foundation

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
