import EscrowDiagnostics
import Glibc
import Testing

@testable import EscrowSandbox

/// The filters as reviewers see them. Any change of a rule changes a file under Tests/Vectors/filters.
@Suite struct FilterGoldenTests {
    static let folder = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(2)
        return parts.joined(separator: "/") + "/Vectors/filters"
    }()

    struct Filter: Sendable, CustomTestStringConvertible {
        let profile: SandboxProfile
        let architecture: FilterArchitecture
        var testDescription: String { "\(profile.rawValue).\(architecture.rawValue)" }
    }

    static let all = SandboxProfile.allCases.flatMap { profile in
        FilterArchitecture.allCases.map { Filter(profile: profile, architecture: $0) }
    }

    /// Compares with a file, or writes it where the person at the keyboard says that the change is meant.
    private func compare(_ lines: [String], with name: String) throws {
        let path = "\(Self.folder)/\(name)"
        if getenv("ESCROW_ACCEPT_FILTERS") != nil {
            let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            try #require(file >= 0, "\(path): errno \(errno)")
            defer { close(file) }
            let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
            try #require(write(file, bytes, bytes.count) == bytes.count)
            return
        }
        let text = String(decoding: try readFile(path), as: UTF8.self)
        let golden = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        let difference = Self.difference(golden, lines)
        #expect(
            difference.isEmpty,
            """
            Tests/Vectors/filters/\(name) says otherwise:
            \(difference.joined(separator: "\n"))
            Is this change of what plugins may call meant? Then write the files anew, and let the reviewer see them:
            ESCROW_ACCEPT_FILTERS=1 scripts/test .build/test.log --filter FilterGoldenTests
            """)
    }

    /// Lines that only one of the two has, the file's with `-`, today's with `+`.
    static func difference(_ golden: [String], _ lines: [String]) -> [String] {
        lines.difference(from: golden).map { change in
            switch change {
            case .remove(_, let line, _): "- \(line)"
            case .insert(_, let line, _): "+ \(line)"
            }
        }
    }

    /// The number of instructions belongs to the compiler, not to the rules.
    private func rules(_ listing: FilterListing) -> [String] {
        listing.lines.map { line in
            guard let range = line.firstRange(of: " instructions by \(listing.compiler)") else { return line }
            return "N" + line[range.lowerBound...].replacing(listing.compiler, with: "libseccomp")
        }
    }

    @Test(arguments: all) func theListIsTheOneThatWasReviewed(_ filter: Filter) throws {
        let listing = try FilterListing(filter.profile, filter.architecture)
        try compare(rules(listing), with: "\(filter.testDescription).txt")
    }

    @Test(arguments: all) func theProgramIsTheOneThatWasReviewed(_ filter: Filter) throws {
        let listing = try FilterListing(filter.profile, filter.architecture)
        let name = "\(filter.testDescription).bpf"
        if getenv("ESCROW_ACCEPT_FILTERS") == nil {
            let first = try readFile("\(Self.folder)/\(name)").prefix { $0 != 10 }
            let compiler = String(decoding: first, as: UTF8.self)
            guard compiler == listing.compiler else {
                // Another version may order the tree otherwise; what it means is tested instruction by instruction.
                print("SKIP: the file is of \(compiler), and this is \(listing.compiler)")
                return
            }
        }
        try compare(
            [listing.compiler, "", "with a listener", ""] + listing.programs.naming
                + ["", "without", ""] + listing.programs.killing, with: name)
    }

    @Test func aChangeShowsAsLinesAddedAndRemoved() {
        #expect(Self.difference(["a", "b", "c"], ["a", "c", "d"]) == ["- b", "+ d"])
        #expect(Self.difference(["a"], ["a"]) == [])
    }
}
