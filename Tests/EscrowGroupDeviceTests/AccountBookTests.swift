import Foundation
import ShareServers
import Testing

@Suite("The account book") struct AccountBookTests {
    /// The whole of it, by programs: two people, three servers, an absence longer than the time to live, a liar, a dead server.
    @Test func twoPeopleShareItThroughServersOfWhichOneLies() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let process = Process()
        let output = Pipe()
        process.executableURL = root.appending(path: "scripts/groups")
        process.arguments = [ShareServer.products.path]
        process.currentDirectoryURL = root
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
        #expect(text.contains("Both devices hold the same seven records. The liar was 127.0.0.1:"))
        #expect(text.contains("2027-01  rent                 2457.00"))
    }
}
