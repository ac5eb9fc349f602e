import EscrowDiagnostics
import EscrowExplain
import Foundation
import Testing

/// Every code that the sources can print has a page in `escrow explain`, and every page is about a code that exists.
@Suite struct ExplainTests {
    @Test func codesAndPagesAreTheSame() throws {
        let outcome = try Escrow.start(["explain"], home: URL(filePath: "/nonexistent"))
        #expect(outcome.status == 0)
        let pages = outcome.output.matches(of: /(?m)^E\d{4}/).map { String($0.output) }
        #expect(pages.sorted() == Diagnostic.Code.allCases.map(\.rawValue).sorted())
    }

    /// Names are for readers of the sources; people and scripts know the number.
    @Test func noNumberOfACodeStandsElsewhere() throws {
        let sources = try #require(
            FileManager.default.enumerator(
                at: Escrow.root.appending(path: "Sources"), includingPropertiesForKeys: nil))
        for case let file as URL in sources where file.pathExtension == "swift" {
            let isPlace = file.path.contains("/Explain/ErrorPage+") || file.path.hasSuffix("/Code.swift")
            guard !isPlace else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.firstMatch(of: /"E[01]\d{3}"/) == nil, "\(file.lastPathComponent)")
        }
    }

    @Test func aPageTellsCodeStatusAndWhatToDo() throws {
        let outcome = try Escrow.start(["explain", "e0702"], home: URL(filePath: "/nonexistent"))
        #expect(outcome.output.hasPrefix("E0702: "))
        #expect(outcome.output.contains("(exit 11)"))
        #expect(try Escrow.start(["explain", "E9999"], home: URL(filePath: "/nonexistent")).status == 64)
    }
}
