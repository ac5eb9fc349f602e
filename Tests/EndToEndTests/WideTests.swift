import Foundation
import Testing

/// Tables stand in columns also where letters are two columns wide.
@Suite struct WideTests {
    @Test func theColumnBehindWideNamesIsStraight() throws {
        let escrow = try Escrow()
        let key = try Escrow.sampleKey()
        for (pattern, name) in [("org.wide.*", "日本語の出版社"), ("org.emoji.*", "🎵 한국"), ("org.plain.*", "plain")]
        {
            let added = try escrow.run(
                "trust", "add", pattern, key, "--name", name, "--from", "2026-01-01", "--until", "2036-01-01")
            try #require(added.status == 0, "\(added.words)")
        }
        let lines = try escrow.run("trust", "list").output.split(separator: "\n").filter {
            $0.contains("2026-01-01")
        }
        #expect(lines.count == 3)
        // Of these names everything beyond Latin is two columns wide.
        let columns = Set(
            lines.compactMap { line in
                line.firstRange(of: "2026-01-01").map {
                    line[..<$0.lowerBound].unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 1 : 2) }
                }
            })
        #expect(columns.count == 1, "\(lines.joined(separator: "\n"))")
    }
}
