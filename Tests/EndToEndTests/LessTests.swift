import Foundation
import Testing

/// The menu of less on a terminal, over real sources: it shows what would be served, and serves that.
@Suite struct LessTests {
    private let escrow: Escrow

    init() throws {
        escrow = try Escrow()
        for (kind, path) in [("contacts", "samples/contacts.vcf"), ("location", "samples/tracks")] {
            try #require(try escrow.run("source", "add", kind, path).status == 0)
        }
    }

    /// Runs a plugin on a terminal; each line is typed once its question stands there.
    private func run(_ plugin: String, _ typed: [(question: String, line: String)]) throws -> (
        status: Int32, output: String, shown: String
    ) {
        let package = Escrow.packages.path + "/\(plugin).escrow"
        try #require(try escrow.run("plugin", "install", package, "--yes").status == 0)
        let terminal = try TypedTerminal(
            ["run", plugin, "--format", "json"], home: escrow.home, columns: 100)
        for (question, line) in typed {
            try terminal.expectNext(question)
            terminal.type(line)
        }
        let end = try terminal.end()
        return (end.status, end.output, terminal.shown)
    }

    /// The same until all of this is shown, each time in a home of its own: rows are read for half a second at most, in
    /// which a starved machine may come to none.
    private static func run(
        _ plugin: String, _ typed: [(question: String, line: String)], until words: [String]
    ) throws -> (status: Int32, output: String, shown: String) {
        var less = try LessTests().run(plugin, typed)
        for _ in 0..<20 where !words.allSatisfy({ less.shown.contains($0) }) {
            less = try LessTests().run(plugin, typed)
        }
        for word in words { #expect(less.shown.contains(word), "\(less.shown)") }
        return less
    }

    @Test func whatIsShownIsWhatIsServed() throws {
        // The first birthday that has a year, as it is and to the year.
        let less = try Self.run(
            "age-of-contacts",
            [
                ("allow? ", "l"), ("less? ", "r"), ("name: ", "birthday"), ("number: ", "1"),
                ("less? ", "f 7"),
                ("less? ", "y"),
            ], until: ["\"1961\" in place of \"1961-02-06\"", "about 7 of about 41 rows"])
        #expect(less.status == 0, "\(less.shown)")
    }

    @Test func recordsArePickedByTheirNames() throws {
        _ = try Self.run(
            "age-of-contacts",
            [("allow? ", "l"), ("less? ", "s"), ("condition", "hiro"), ("numbers: ", "1"), ("less? ", "y")],
            until: ["  1    \"Hiro Dvořák", "about 1 of about 41 rows"])
    }

    @Test func aPlaceIsShownAsItWouldBeTold() throws {
        let less = try Self.run(
            "places-summary",
            [("allow? ", "l"), ("less? ", "r latitude"), ("number: ", "1"), ("less? ", "n")],
            until: ["  1    rounded to about 110 km: ", " in place of \""])
        #expect(less.status == 10)
    }

    /// A look is no read: the ledger has the question's end alone, and no value.
    @Test func aLookLeavesNoValueBehind() throws {
        _ = try run(
            "age-of-contacts",
            [("allow? ", "l"), ("less? ", "s"), ("condition", "hiro"), ("numbers: ", "1"), ("less? ", "n")])
        let files = FileManager.default.enumerator(at: escrow.home, includingPropertiesForKeys: nil)
        for case let file as URL in files ?? .init() {
            guard let data = try? Data(contentsOf: file) else { continue }
            #expect(data.range(of: Data("Hiro".utf8)) == nil, "\(file.path)")
        }
    }
}
