import Foundation
import Testing

/// What is not proved takes nothing from an app that is, and what is proved no more gets nothing.
@Suite(.serialized) struct ServiceProofTests {
    /// An answer that is read while it comes.
    private final class Answer {
        private let process = Process()
        private let output = Pipe()
        private(set) var said = ""

        init(_ service: RunningService, _ path: String, _ headers: [String], body: String) throws {
            process.executableURL = URL(filePath: "/usr/bin/curl")
            process.arguments =
                ["-sN", "--max-time", "600", "--unix-socket", service.socket, "http://localhost" + path]
                + headers.flatMap { ["-H", $0] }
                + ["-H", "Content-Type: application/json", "--data-binary", body]
            process.standardOutput = output
            try process.run()
        }

        deinit { kill(process.processIdentifier, SIGKILL) }

        /// Reads until it ends so.
        func read(to end: String) throws {
            while !said.hasSuffix(end) { try #require(more(), "\(end) never came: \(said)") }
        }

        /// Reads until nothing follows.
        func readAll() { while more() {} }

        private func more() -> Bool {
            let data = output.fileHandleForReading.availableData
            said += String(decoding: data, as: UTF8.self)
            return !data.isEmpty
        }
    }

    /// Five processes, one after the other, that have 64 questions wait each, and are gone.
    private static let flood = """
        import http.client, json, os, socket, sys
        class Client(http.client.HTTPConnection):
            def connect(self):
                self.sock = socket.socket(socket.AF_UNIX)
                self.sock.connect(sys.argv[1])
        for number in range(5):
            if os.fork() == 0:
                client = Client("localhost")
                taken = 0
                for _ in range(64):
                    client.request(
                        "POST", "/v1/runs", json.dumps({"app": f"org.example.f{number}", "compute": "phone-check"}),
                        {"Content-Type": "application/json", "Prefer": "respond-async, wait=300"})
                    answer = client.getresponse()
                    answer.read()
                    taken += answer.status == 202
                print(taken, flush=True)
                os._exit(0)
            os.wait()
        """

    private func token(_ service: RunningService) throws -> String {
        let token = try service.run("app", "add", "org.example.notes").output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return "Authorization: Bearer \(token)"
    }

    private func service() throws -> (RunningService, proof: String) {
        let service = try RunningService(try Escrow.withPhoneCheck())
        let proof = try token(service)
        let granted = try service.run(
            "grant", "allow", "--app", "org.example.notes", "--plugin", "phone-check", "--known", "token")
        try #require(granted.status == 0, "\(granted.words)")
        return (service, proof)
    }

    private static let ask = #"{"compute":"phone-check"}"#
    private static let unknown = #"event: error\#ndata: {"code":"E1263","#

    @Test func questionsOfEndedProgramsKeepNoProvedAppFromItsAnswer() throws {
        let (service, proof) = try service()
        let flood = try Escrow.start(
            ["-c", Self.flood, service.socket], home: service.escrow.home,
            program: URL(filePath: "/usr/bin/python3"))
        #expect(flood.output.hasPrefix("64\n64\n"), "\(flood.everything)")
        let proved = try service.curl("/v1/runs", "-H", proof, body: Self.ask)
        #expect(proved.status == 200, "\(proved)")
        // Nobody waits for those answers any more: who else proves nothing has room as well.
        try RunningService.eventually("another program that proves nothing is answered") {
            try service.curl("/v1/runs", body: ServiceTests.ask).status == 409
        }
    }

    @Test func aTokenThatWasTakenBackEndsItsStreamAndNobodyElseHasItsRun() throws {
        let (service, proof) = try service()
        let begun = try service.curl(
            "/v1/runs", "-H", proof, "-H", "Prefer: respond-async", body: Self.ask)
        let run = "/v1/runs/" + (try #require(try begun.json()["id"] as? String))
        try RunningService.eventually("the run ends with a result") {
            try service.curl(run, "-H", proof).json()["state"] as? String == "done"
        }
        for path in [run, run + "/events"] { #expect(try service.curl(path).status == 404) }
        #expect(try service.curl(run, "-X", "DELETE").status == 404)
        let stream = try Answer(service, "/v1/status", [proof, "Accept: text/event-stream"], body: Self.ask)
        try stream.read(to: "data: {\"status\":\"authorized\"}\n\n")
        #expect(try service.run("app", "remove", "org.example.notes").status == 0)
        stream.readAll()
        #expect(stream.said.contains(Self.unknown), "\(stream.said)")
        #expect(try service.curl(run, "-H", proof).status == 404)
        #expect(try service.curl(run).status == 404)
        // A new token of the same app proves the same app.
        #expect(try service.curl(run, "-H", try token(service)).status == 200)
        #expect(try service.curl(run, "-H", proof).status == 404)
    }

    /// gpsd for one that follows: says where it is, and is somewhere else each time a line comes.
    private static let gpsd = """
        import socket, sys
        door = socket.socket()
        door.bind(("127.0.0.1", 0))
        door.listen(1)
        print(door.getsockname()[1], flush=True)
        peer = door.accept()[0]
        for number, _ in enumerate(sys.stdin):
            peer.sendall(b'{"class":"TPV","mode":2,"lat":%.1f,"lon":5.3}\\n' % (50 + number))
        """

    @Test func noPluginRunsAtAMoveAfterTheTokenWasTakenBack() throws {
        let escrow = try Escrow()
        try escrow.allow("weather", app: "org.example.notes")
        let server = try StandIn(for: escrow)
        let receiver = Process()
        receiver.executableURL = URL(filePath: "/usr/bin/python3")
        receiver.arguments = ["-c", Self.gpsd]
        let (input, output) = (Pipe(), Pipe())
        (receiver.standardInput, receiver.standardOutput) = (input, output)
        try receiver.run()
        defer { kill(receiver.processIdentifier, SIGKILL) }
        let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = try #require(Int(said.trimmingCharacters(in: .whitespacesAndNewlines)))
        let file = escrow.home.appending(path: "config.json")
        var configuration = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        configuration["live"] = ["gpsdPort": port]
        try JSONSerialization.data(withJSONObject: configuration).write(to: file)
        #expect(
            try escrow.run("location", "live", "allow", "always", "--app", "org.example.notes").status == 0)
        let service = try RunningService(escrow)
        let stream = try Answer(
            service, "/v1/follows/standard", [try token(service)],
            body: #"{"compute":"weather","place":{"service":"weather","accuracy":"city","#
                + #""server":"api.openweathermap.org"}}"#)
        func move() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }
        try move()
        try stream.read(to: "}\n\n")
        #expect(stream.said.hasPrefix("event: result\n"), "\(stream.said)")
        #expect(try server.received().count == 1)
        #expect(try service.run("app", "remove", "org.example.notes").status == 0)
        try move()
        stream.readAll()
        #expect(stream.said.contains(Self.unknown), "\(stream.said)")
        #expect(try server.received().count == 1)
    }
}
