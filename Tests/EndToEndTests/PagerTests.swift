import Foundation
import Testing

/// What is longer than the screen is shown by the individual's pager, and nothing else is.
@Suite struct PagerTests {
    private let escrow: Escrow
    private static let all = ["access", "SELECT id FROM Contacts"]
    private static let few = ["access", "SELECT id FROM Contacts LIMIT 3"]
    private static let marking = ["PAGER": "sed 's/^/PAGED/'"]

    init() throws {
        escrow = try Escrow(trusting: false)
        try #require(try escrow.run("source", "add", "contacts", "samples/contacts.vcf").status == 0)
    }

    private func shown(_ arguments: [String], rows: UInt16 = 24, with more: [String: String]) throws -> (
        status: Int32, lines: [Substring]
    ) {
        let terminal = try TypedTerminal(
            arguments, home: escrow.home, columns: 80, rows: rows, showsOutput: true, with: more)
        let status = try terminal.end().status
        return (status, terminal.shown.split(separator: "\n"))
    }

    @Test func whatIsLongerThanTheScreenIsPagedWhole() throws {
        let expected = try escrow.run("access", "SELECT id FROM Contacts", "--format", "ndjson").output
        let count = expected.split(separator: "\n").count
        try #require(count > 24)
        let paged = try shown(Self.all, with: Self.marking)
        #expect(paged.status == 0 && paged.lines.count == count + 1)
        #expect(paged.lines.allSatisfy { $0.hasPrefix("PAGED ") }, "\(paged.lines)")
        // On a screen that holds all of it there is nothing to page.
        let roomy = try shown(Self.all, rows: UInt16(count + 3), with: Self.marking)
        #expect(roomy.lines.count == count + 1 && !roomy.lines.contains { $0.hasPrefix("PAGED") })
    }

    @Test(arguments: [
        (all + ["--no-pager"], marking), (all, ["PAGER": "cat"]), (all, ["PAGER": ""]), (few, marking),
    ])
    func otherwiseItIsPrinted(arguments: [String], environment: [String: String]) throws {
        let plain = try shown(arguments, with: environment)
        #expect(plain.status == 0 && plain.lines.count > 3)
        #expect(!plain.lines.contains { $0.hasPrefix("PAGED") }, "\(plain.lines)")
    }

    /// Words that follow the data are read behind it.
    @Test func wordsStayBehindTheData() throws {
        let paged = try shown(["schema"], with: Self.marking)
        #expect(paged.lines.last == "PAGEDmore: escrow schema TABLE", "\(paged.lines.suffix(3))")
    }

    @Test func aReaderWhoHasSeenEnoughEndsItQuietly() throws {
        let seen = try shown(Self.all, with: ["PAGER": "head -n 2"])
        #expect(seen.status == 0 && seen.lines.count == 2, "\(seen.lines)")
    }

    @Test func aPagerThatIsNotThereLosesNothing() throws {
        let printed = try shown(Self.all, with: ["PAGER": "escrow-no-such-pager 2>/dev/null"])
        #expect(printed.status == 0 && printed.lines.count > 24)
    }

    @Test func anErrorIsReportedAfterTheReader() throws {
        let failed = try shown(["access", "SELECT id FROM Contact"], with: Self.marking)
        #expect(failed.status == 13 && failed.lines.first?.hasPrefix("refused[E0406]") == true)
    }

    @Test func aProgramIsNeverPaged() throws {
        let piped = try Escrow.start(Self.all, home: escrow.home, with: Self.marking)
        #expect(piped.status == 0 && !piped.output.contains("PAGED"))
    }
}
