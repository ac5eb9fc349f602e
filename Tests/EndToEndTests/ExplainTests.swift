import Foundation
import Testing

/// Every code that the sources can print has a page in `escrow explain`, and every page is about a code that exists.
@Suite struct ExplainTests {
    @Test func codesAndPagesAreTheSame() throws {
        let outcome = try Escrow.start(["explain"], home: URL(filePath: "/nonexistent"))
        #expect(outcome.status == 0)
        let pages = Set(outcome.output.matches(of: /E\d{4}/).map { String($0.output) })
        var codes: Set<String> = []
        let sources = try #require(
            FileManager.default.enumerator(
                at: Escrow.root.appending(path: "Sources"), includingPropertiesForKeys: nil))
        for case let file as URL in sources where file.pathExtension == "swift" {
            guard !file.path.contains("/Explain/ErrorPage+") else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            codes.formUnion(text.matches(of: /"(E[01]\d{3})"/).map { String($0.output.1) })
        }
        #expect(codes.subtracting(pages).isEmpty, "without a page: \(codes.subtracting(pages).sorted())")
        #expect(pages.subtracting(codes).isEmpty, "about nothing: \(pages.subtracting(codes).sorted())")
        #expect(codes.count > 100)
    }

    @Test func aPageTellsCodeStatusAndWhatToDo() throws {
        let outcome = try Escrow.start(["explain", "e0702"], home: URL(filePath: "/nonexistent"))
        #expect(outcome.output.hasPrefix("E0702: "))
        #expect(outcome.output.contains("(exit 11)"))
        #expect(try Escrow.start(["explain", "E9999"], home: URL(filePath: "/nonexistent")).status == 64)
    }
}
