import Foundation
import Testing

/// What one program does to the service's socket keeps no other from its answer.
@Suite(.serialized) struct FloodTests {
    private func service() throws -> RunningService {
        let escrow = try Escrow.withPhoneCheck(for: "org.example.notes")
        return try RunningService(escrow)
    }

    @Test func tenThousandConnectionsOfOneProgramLeaveOthersServed() throws {
        let service = try service()
        let flood = Process()
        flood.executableURL = URL(filePath: "/usr/bin/python3")
        flood.arguments = [
            Escrow.root.path + "/Tests/Hostile/flood.py", service.socket, "10000", "1",
        ]
        let input = Pipe()
        let output = Pipe()
        flood.standardInput = input
        flood.standardOutput = output
        try flood.run()
        defer {
            try? input.fileHandleForWriting.close()
            flood.waitUntilExit()
        }
        let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        #expect(said.hasPrefix("ready"))
        for _ in 0..<5 {
            let answer = try service.curl("/v1/runs", body: ServiceTests.ask)
            #expect(answer.status == 200, "\(answer.headers)")
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(service.identifier)/fd")
            .count
        #expect(files < 2_200)
    }

    @Test func anAppThatHasTooManyRunsOpenIsToldAndAnotherIsServed() throws {
        let service = try service()
        let token = try service.run("app", "add", "org.example.greedy").output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        func ask() throws -> Int {
            try service.curl(
                "/v1/runs", "-H", "Authorization: Bearer \(token)", "-H", "Prefer: respond-async, wait=300",
                body: #"{"compute":"phone-check"}"#
            ).status
        }
        for _ in 0..<64 { #expect(try ask() == 202) }
        #expect(try ask() == 429)
        #expect(try service.curl("/v1/runs", body: ServiceTests.ask).status == 200)
    }
}
