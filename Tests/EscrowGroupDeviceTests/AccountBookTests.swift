import Foundation
import ShareServers
import TemporaryFolder
import Testing

@Suite("The account book") struct AccountBookTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func run(_ program: String, _ words: [String]) throws -> (status: Int32, text: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = root.appending(path: program)
        process.arguments = words
        process.currentDirectoryURL = root
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    /// What the shared app is compared with does the same, alone on one device; and the page says what was counted.
    @Test func aloneItIsTheSameBook() throws {
        let folder = try TemporaryFolder("alone")
        func alone(_ words: String...) throws -> String {
            let (status, text) = try Self.run("apps/account-book/alone", [folder.path + "/book"] + words)
            #expect(status == 0)
            return text
        }
        let bread = try alone("add", "12.50", "--class", "food", "--shop", "baker", "--day", "2027-01-05")
        _ = try alone("template", "cinema", "40", "--class", "fun")
        _ = try alone("add", "--template", "cinema", "--day", "2027-02-01")
        _ = try alone("change", String(bread.prefix(8)), "--amount", "11")
        #expect(
            try alone("months")
                == "2027-01  food                   11.00\n2027-02  fun                    40.00\n")
        _ = try alone("remove", String(bread.prefix(8)))
        #expect(try alone("list").hasSuffix("2027-02-01       40.00  fun\n"))
        let page = try String(contentsOf: Self.root.appending(path: "docs/groups.md"), encoding: .utf8)
        #expect(page.contains(try Self.run("scripts/conversion", []).text))
    }

    /// The whole of it, by programs: two people, three servers, an absence longer than the time to live, a liar, a dead server.
    @Test func twoPeopleShareItThroughServersOfWhichOneLies() throws {
        let (status, text) = try Self.run("scripts/groups", [ShareServer.products.path])
        #expect(status == 0, "\(text)")
        #expect(text.contains("Both devices hold the same seven records. The liar was 127.0.0.1:"))
        #expect(text.contains("2027-01  rent                 2457.00"))
    }
}
