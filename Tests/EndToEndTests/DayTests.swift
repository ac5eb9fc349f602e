import Foundation
import Testing

/// docs/a-day.md is what really happens: the day is lived again and compared, word for word.
@Suite struct DayTests {
    @Test func theDayInTheDocumentsIsTheDayThatHappens() throws {
        let process = Process()
        process.executableURL = Escrow.root.appending(path: "scripts/day")
        process.arguments = [Escrow.program.path, Escrow.packages.path]
        process.currentDirectoryURL = Escrow.root
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let lived = String(decoding: data, as: UTF8.self)
        let page = Escrow.root.appending(path: "docs/a-day.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let parts = text.components(separatedBy: "```text\n")
        let told = try #require(parts.last?.components(separatedBy: "```\n").first)
        // A difference of two long texts tells nobody anything: the first line that differs does.
        let pairs = zip(lived.split(separator: "\n"), told.split(separator: "\n"))
        let different = pairs.first { $0 != $1 }
        #expect(
            different == nil,
            "scripts/day wrote \(different?.0 ?? "") where docs/a-day.md has \(different?.1 ?? "")")
        #expect(lived == told, "docs/a-day.md is made anew by: scripts/day ESCROW PACKAGES")
    }
}
