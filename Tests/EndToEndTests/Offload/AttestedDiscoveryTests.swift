import Foundation
import SoftwareTPM
import TemporaryFolder
import Testing

/// Contact discovery on a server that proved what it runs, as the papers suggest: the numbers go to that server alone, and to the
/// messenger only what any number could be.
@Suite(.enabled(if: SoftwareTPM.isHere, "swtpm is not installed")) struct AttestedDiscoveryTests {
    /// apps/servers.py, as the messenger.
    private final class Messenger {
        let configuration: String
        private let process = Process()
        private let (input, output) = (Pipe(), Pipe())

        init(_ users: [String], in folder: URL) throws {
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments =
                ["python3", Escrow.root.appending(path: "Tests/Support/chat.py").path, folder.path] + users
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            configuration = String(decoding: try Self.line(output.fileHandleForReading), as: UTF8.self)
        }

        deinit {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        private static func line(_ handle: FileHandle) throws -> Data {
            var bytes = Data()
            while let byte = try handle.read(upToCount: 1), byte != Data("\n".utf8) { bytes += byte }
            return bytes
        }

        func received() throws -> (requests: Int, points: [String]) {
            try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
            let line = try Self.line(output.fileHandleForReading)
            let told = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
            return (told["requests"] as? Int ?? -1, told["points"] as? [String] ?? [])
        }
    }

    @Test func contactsAreFoundWhereTheServerProvedItselfAndNowhereElse() throws {
        let tpm = try SoftwareTPM()
        let server = try OffloadServer(plugins: ["find-contacts"])
        let requirement = server.scratch.url.appending(path: "requirement.json").path
        try server.command(["attest", "--tpm", tpm.words, "--out", requirement])
        try server.start(more: ["--tpm", tpm.words])
        let escrow = try Escrow.offloading(
            to: try server.enrol(), plugin: "find-contacts", contacts: 9, allowed: false)
        // Of Person 1, of Person 4, and of somebody whom nobody here knows.
        let users = ["+12123550001", "+12126550004", "+15005550001"]
        let messenger = try Messenger(users, in: escrow.folder)
        try escrow.configure(messenger.configuration)
        try #require(try escrow.run("server", "require", "home", requirement).status == 0)
        try escrow.allowAtServer("find-contacts")

        let found = try escrow.offload("find-contacts")
        try #require(found.status == 0, "\(found.words) \(server.log)")
        for user in users { #expect(found.output.contains(user) == (user != users[2]), "\(found.output)") }
        let told = try escrow.run("server", "explain", "last", "--format", "json").json()
        #expect((told["attested"] as? String)?.count == 16)
        let received = try messenger.received()
        #expect(received.requests == 1 && Set(received.points).count == 9)

        // Without its TPM the server is given no number, and the messenger is asked nothing.
        server.stop()
        try server.start()
        let mute = try escrow.offload("find-contacts")
        #expect(mute.words.contains("[E1227]") && mute.output.isEmpty, "\(mute.words)")
        #expect(try messenger.received().requests == 1)
    }
}
