import Foundation
import Testing

/// `SECURITY.md` promises nothing that no test tries to break: what it cites exists, and no wall and no family of probes
/// is left out.
@Suite struct SecurityPageTests {
    static let root = DependencyGraphTests.root
    static let probes = root.appending(path: "Tests/Probes")
    /// The columns of a table row of the page, by the heading of its section.
    typealias Row = [String]

    /// The rows of the tables under a heading, without their heads.
    static func rows(under heading: String) throws -> [Row] {
        let page = try String(contentsOf: root.appending(path: "SECURITY.md"), encoding: .utf8)
        let sections = page.components(separatedBy: "\n## ")
        let section = try #require(sections.first { $0.hasPrefix(heading) }, "no section \(heading)")
        let lines = section.split(separator: "\n").filter { $0.hasPrefix("|") }
        return lines.dropFirst(2).map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// What stands between backticks.
    static func words(_ cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// The probes by family: `files` → `open-passwd`.
    static func families() throws -> [String: Set<String>] {
        var families: [String: Set<String>] = [:]
        for file in try files(in: probes)
        where ["c", "py", "awk", "sh", "swift"].contains(file.pathExtension) {
            let family = file.deletingLastPathComponent().lastPathComponent
            guard try isProbe(file), family != "Runner", family != "Probes" else { continue }
            families[family, default: []].insert(file.deletingPathExtension().lastPathComponent)
        }
        return families
    }

    /// Whether a file begins with a comment that says how it must end inside.
    private static func isProbe(_ file: URL) throws -> Bool {
        let text = try String(contentsOf: file, encoding: .utf8)
        return ["strict:", "runtime:", "host:"].contains { key in
            text.split(separator: "\n").prefix(12).contains { $0.contains(" \(key)") }
        }
    }

    private static func files(in folder: URL) throws -> [URL] {
        let folder = folder.resolvingSymlinksInPath()
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).map {
            folder.appending(path: $0)
        }
    }

    @Test func everyWallHasARowAndNoRowIsAboutAnythingElse() throws {
        let source = try String(
            contentsOf: Self.root.appending(path: "Sources/compute/EscrowSandbox/Wall.swift"), encoding: .utf8
        )
        let names = try #require(source.components(separatedBy: "public var purpose").first)
        let walls = names.split(separator: "\n")
            .compactMap { $0.wholeMatch(of: /\s+case (\w+)(?: = "([a-z-]+)")?/) }
            .map { String($0.output.2 ?? $0.output.1) }
        #expect(walls.count > 10)
        let rows = try Self.rows(under: "The walls around a plugin").map { Self.words($0[0])[0] }
        #expect(Set(rows) == Set(walls))
        #expect(rows.count == walls.count)
    }

    @Test(arguments: ["What is defended", "The walls around a plugin"])
    func everyClaimCitesTestsThatExist(heading: String) throws {
        for row in try Self.rows(under: heading) {
            let cited = Self.words(row[row.count - 1])
            #expect(!cited.isEmpty, "nothing tests this claim: \(row[0])")
            for name in cited { #expect(try Self.exists(name), "\(name) does not exist") }
        }
    }

    /// A channel without a wall needs no test; one with a wall does.
    @Test func everyChannelHasAWidthAndEveryWallATest() throws {
        let rows = try Self.rows(under: "Every channel")
        #expect(rows.count > 30)
        for row in rows {
            #expect(row.count == 5 && row.allSatisfy { !$0.isEmpty }, "\(row[0])")
            #expect(row[3] == "–" || !Self.words(row[4]).isEmpty, "nothing tests this wall: \(row[0])")
            for name in Self.words(row[4]) { #expect(try Self.exists(name), "\(name) does not exist") }
        }
    }

    /// Whether there is a suite or a probe of that name.
    private static func exists(_ name: String) throws -> Bool {
        let parts = name.split(separator: "/").map(String.init)
        guard parts.count == 2 else {
            return try files(in: root.appending(path: "Tests"))
                .contains { $0.deletingPathExtension().lastPathComponent == name }
        }
        return try families()[parts[0]].map { parts[1] == "*" || $0.contains(parts[1]) } == true
    }

    @Test func everyFamilyOfProbesIsCited() throws {
        var cited: Set<String> = []
        let headings = [
            "What is defended", "The walls around a plugin", "What a plugin can see", "Every channel",
        ]
        for heading in headings {
            for cell in try Self.rows(under: heading).joined() {
                cited.formUnion(Self.words(cell).map { String($0.prefix { $0 != "/" }) })
            }
        }
        for family in try Self.families().keys {
            #expect(cited.contains(family), "no claim cites the probes of \(family)")
        }
    }
    @Test func everySuiteAndFileThatThePageNamesExists() throws {
        let page = try String(contentsOf: Self.root.appending(path: "SECURITY.md"), encoding: .utf8)
        let tests = try Self.files(in: Self.root.appending(path: "Tests"))
        let suites = Set(tests.map { $0.deletingPathExtension().lastPathComponent })
        let names = Self.words(page)
        for suite in names where suite.hasSuffix("Tests") {
            #expect(suites.contains(suite), "\(suite) does not exist")
        }
        let links = page.matches(of: /\]\(([^)]+)\)/).map { String($0.output.1) }
        for path in links + names.filter({ $0.hasPrefix("Tests/") || $0.hasPrefix("Benchmarks/") }) {
            let file = Self.root.appending(path: path)
            #expect(FileManager.default.fileExists(atPath: file.path), "\(path) does not exist")
        }
    }
}
