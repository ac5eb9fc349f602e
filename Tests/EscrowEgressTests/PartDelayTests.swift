import EscrowEgress
import EscrowManifest
import Testing

/// How long it takes to find a part of a file says where in it the part lies.
@Suite("The place of a part in its file is told by no delay")
struct PartDelayTests {
    /// A part that takes some time to find.
    private final class Part: RequestFile {
        let size = 100_000
        let mediaType = "image/jpeg"
        private let clock: TestClock
        private var delay: Double
        private var left = 100_000

        init(_ clock: TestClock, delay: Double) { (self.clock, self.delay) = (clock, delay) }

        func read(_ count: Int) -> [UInt8]? {
            clock.seconds += delay
            delay = 0
            defer { left -= min(count, left) }
            return Array(repeating: 7, count: min(count, left))
        }
    }

    /// Keeps when a request's head left, and when its file had.
    private final class FileTransport: Transport, @unchecked Sendable {
        private let clock: TestClock
        private(set) var head = 0.0
        private(set) var end = 0.0
        private(set) var bytes = 0

        init(_ clock: TestClock) { self.clock = clock }

        func exchange(
            _ request: OutgoingRequest, with destination: Destination, limits: ExchangeLimits
        ) throws(TransportFailure) -> IncomingResponse { throw .sender }

        func exchange(
            _ request: OutgoingRequest, file: any RequestFile, with destination: Destination,
            limits: ExchangeLimits
        ) throws(TransportFailure) -> IncomingResponse {
            head = clock.seconds
            while let piece = file.read(1 << 14), !piece.isEmpty { bytes += piece.count }
            end = clock.seconds
            return IncomingResponse(status: 200, body: [], mediaType: "")
        }

        func cancel() {}
        func close() {}
    }

    @Test("It is found before the moment is waited for", arguments: [0, 0.001, 0.03, 0.5, 7])
    func part(delay: Double) throws {
        let clock = TestClock()
        let begun = clock.seconds
        let transport = FileTransport(clock)
        let endpoints = try Fixture.endpoints(
            """
            { "name": "up", "why": "to try it", "method": "PUT", "url": "https://api.example.org/",
              "body": { "kind": "asset", "mediaTypes": ["image/jpeg"], "maxBytes": 200000 },
              "response": { "type": "application/json", "maxBytes": 10 }, "maxCalls": 2 }
            """)
        var mediator = Mediator(
            endpoints: endpoints, resolver: ScriptedResolver(["1.1.1.1"]), transport: transport,
            clock: clock, recorder: ScriptedRecorder())
        _ = try mediator.fetch("up", [], with: Part(clock, delay: delay)).get()
        #expect(transport.bytes == 100_000 && transport.end == transport.head)
        #expect(TimeGrid.requests.moments.contains { abs(transport.head - begun - $0) < 1e-9 })
    }
}
