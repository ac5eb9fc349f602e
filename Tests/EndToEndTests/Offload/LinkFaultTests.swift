import Foundation
import Testing

/// A network between device and server that goes wrong: each fault has its exit code and its words, nothing is returned, and the
/// server's plugin goes.
@Suite struct LinkFaultTests {
    /// What the network does, and what the run is then called; nil where it only takes longer.
    static let faults: [(fault: String, code: String?)] = [
        ("changes a byte of the rows", "E1208"), ("changes a byte of the answers", "E1208"),
        ("repeats what it passed on", "E1208"), ("floods the device midway", "E1208"),
        ("closes midway", "E1208"), ("resets midway", "E1208"),
        ("delays", nil), ("passes byte by byte", nil),
        // The connection is tried again until the host's patience ends: nothing was sent by then.
        ("closes at once", "E1225"), ("answers with noise", "E1225"), ("truncates the handshake", "E1225"),
    ]

    @Test(arguments: faults) func eachFaultIsNamedAndNothingIsReturned(fault: String, code: String?) throws {
        let server = try OffloadServer()
        try server.start()
        let link = try Link(fault, to: server)
        let file = try link.moved(try server.enrol())
        let escrow = try Escrow.offloading(to: file, contacts: code == "E1208" ? 60_000 : 300)
        let outcome = try escrow.offload()
        let ledger = try escrow.run("ledger", "list", "--format", "json").output
        guard let code else {
            #expect(outcome.status == 0, "\(fault): \(outcome.words)")
            #expect(ledger.contains("\"returned\""))
            return
        }
        #expect(outcome.status == 19, "\(fault): \(outcome.everything)")
        #expect(outcome.words.contains("[\(code)]"), "\(fault): \(outcome.words)")
        #expect(outcome.output.isEmpty)
        #expect(!outcome.everything.contains("Person"))
        #expect(ledger.contains("nothing returned"))
        #expect(!ledger.contains("\"returned\""))
        #expect(!server.log.contains("clean"))
    }

    /// A network that does one thing wrong, as a process.
    private final class Link: Sendable {
        private let process: Mutexed<Process>
        private let port: Int

        init(_ fault: String, to server: OffloadServer) throws {
            let link = Process()
            link.executableURL = URL(filePath: "/usr/bin/env")
            let program = Escrow.root.appending(path: "Tests/EndToEndTests/Offload/faulty-link.py").path
            link.arguments = [
                "python3", program, fault, String(try Self.port(server.folder + "/server.json")),
            ]
            link.standardInput = FileHandle.nullDevice
            let output = Pipe()
            link.standardOutput = output
            try link.run()
            process = Mutexed(link)
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            port = try #require(Int(line.filter(\.isNumber)))
        }

        deinit {
            process.change {
                kill($0.processIdentifier, SIGKILL)
                $0.waitUntilExit()
            }
        }

        /// The same enrolment, by way of this network.
        func moved(_ file: String) throws -> String {
            var ours = try Self.object(file)
            ours["port"] = port
            try JSONSerialization.data(withJSONObject: ours).write(to: URL(filePath: file))
            return file
        }

        private static func port(_ file: String) throws -> Int { try #require(object(file)["port"] as? Int) }

        private static func object(_ file: String) throws -> [String: Any] {
            try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file)))
                    as? [String: Any])
        }
    }
}
