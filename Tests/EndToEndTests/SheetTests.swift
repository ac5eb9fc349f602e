import Foundation
import Testing

/// The sheet of docs/consent.md is the real one, word for word but for the key that signed the plugin.
@Suite struct SheetTests {
    /// The sheet in the first block of a page that has one, without the command and the question.
    private static func sheet(_ page: String) throws -> [String] {
        let text = try String(contentsOf: Escrow.root.appending(path: page), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = try #require(lines.firstIndex(of: "an app asks for this:"))
        return Array(lines[start...].prefix { !$0.hasPrefix("```") })
    }

    /// Every machine signs with a key of its own.
    private static func keyless(_ lines: [String]) -> String {
        lines.joined(separator: "\n").replacing(/SHA256:[A-Za-z0-9+\/]{43}/, with: "SHA256:…")
    }

    @Test func thePageShowsTheRealSheet() throws {
        let page = "docs/consent.md"
        let escrow = try Escrow()
        #expect(
            try escrow.run(
                "source", "add", "contacts", Escrow.root.appending(path: "samples/contacts.vcf").path
            )
            .status == 0)
        try escrow.install("phone-check")
        let plan = try escrow.run("run", "phone-check", "--app", "org.example.notes", "--dry-run")
        try #require(plan.status == 0, "\(plan.everything)")
        let lines = plan.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let real = Array(lines.prefix { !$0.hasPrefix("decision") })
        #expect(Self.keyless(real) == Self.keyless(try Self.sheet(page)), "\(page) shows another sheet")
    }
}
