import Foundation
import TemporaryFolder
import Testing

/// Devices that were enrolled and turn against the server, or against its other devices.
@Suite(.enabled(if: HostileDevice.isThere, "there is no python3"))
struct HostileDeviceTests {
    /// It is told why, and is gone then: nothing of it is kept.
    @Test func aDeviceThatWasRevokedIsNotAnsweredAndIsClosed() throws {
        let server = try OffloadServer()
        try server.start()
        let file = try server.enrol()
        let asks = "print(device.answer(device.open(CHECK)))\n"
        let before = try HostileDevice(file, asks)
        #expect(before.line() == "0801")
        before.end()
        try server.command(["device", "revoke", "laptop"])
        let after = try HostileDevice(file, asks)
        #expect(after.line() == "closed")
        after.end()
        let half = try HostileDevice(
            file,
            """
            try:
                for _ in range(6):
                    stream = device.open(RUN)
                    device.send(DATA, 0, stream, (b"\\0" + (1 << 20).to_bytes(4, "big")).ljust(9000, b"x"))
            except OSError:
                pass
            while device.frame(): pass
            print("closed")

            """)
        #expect(half.line() == "closed")
        half.end()
    }

    /// Its stream is closed, and no other of its connection.
    @Test func halfAFirstMessageIsNotWaitedFor() throws {
        let server = try OffloadServer()
        try server.start()
        let device = try HostileDevice(
            try server.enrol(),
            """
            stream = device.open(RUN)
            device.send(DATA, 0, stream, b"\\0" + (1 << 20).to_bytes(4, "big") + b"x")
            print(device.answer(stream))
            print(device.answer(device.open(CHECK)))

            """)
        #expect(device.line() == "reset")
        #expect(device.line() == "0801")
        device.end()
    }

    @Test func oneDeviceLeavesHalfOfThePlacesToOthers() throws {
        let server = try OffloadServer(runs: 2)
        try server.start(more: ["--ready", "0"])
        let listed = try server.command(["registry", "list"]).output
        let manifest = try #require(listed.firstMatch(of: /[0-9a-f]{64}/)?.output)
        let greedy = try HostileDevice(
            try server.enrol(), manifest: String(manifest),
            """
            for run in (b"r-1", b"r-2"):
                stream = device.open(RUN)
                device.send(DATA, 0, stream, message(begin(run)))
                print(device.answer(stream)[:8], flush=True)
            sys.stdin.read()

            """)
        defer { greedy.end() }
        #expect(greedy.line().hasPrefix("0a"))
        // Refused: busy.
        #expect(greedy.line() == "22020805")
        let other = try Escrow.offloading(to: try server.enrol("phone"))
        let outcome = try other.offload()
        #expect(outcome.status == 0, "\(outcome.words) \(server.log)")
    }

    @Test func aDeviceWritesNoLineOfTheLog() throws {
        let server = try OffloadServer()
        let traces = server.scratch.url.appending(path: "traces.jsonl")
        try server.start(more: ["--traces", traces.path])
        // So that the refusal of a plugin that is registered is logged.
        try Data().write(to: URL(filePath: server.folder + "/trust.signers"))
        let listed = try server.command(["registry", "list"]).output
        let manifest = try #require(listed.firstMatch(of: /[0-9a-f]{64}/)?.output)
        let device = try HostileDevice(
            try server.enrol(), manifest: String(manifest),
            """
            for run in (b"r-1", b"r-1\\nescrow-server: FORGED\\x1b[31m"):
                stream = device.open(RUN)
                device.send(DATA, 0, stream, message(begin(run)))
                print(device.answer(stream))

            """)
        // Not trusted; then no message of the protocol.
        #expect(device.line() == "22020804")
        #expect(device.line() == "22020809")
        device.end()
        #expect(server.log.contains("run r-1: org.example.phone-check: refused: "))
        #expect(!server.log.contains("FORGED"))
        server.stop(SIGTERM)
        #expect(try !String(contentsOf: traces, encoding: .utf8).contains("FORGED"))
    }
}
