import EscrowDiagnostics
import EscrowEgress
import EscrowManifest
import Glibc
import Testing

/// When requests leave: a plugin thinks for as long as it likes, and its server sees one of the announced moments.
@Suite("When a request leaves carries what is announced")
struct MomentTests {
    /// An endpoint without a field: all that its calls can say is that they come, and when.
    static func endpoints(calls: Int, more: String = "") throws -> [EgressEndpoint] {
        try Fixture.endpoints(
            """
            { "name": "ping", "why": "to try it", "method": "GET", "url": "https://api.example.org/",
              "response": { "type": "application/json", "maxBytes": 10 }, "maxCalls": \(calls) \(more) }
            """)
    }

    /// How long a plugin may think before it asks: nothing, around each moment, and all in between.
    static let thoughts: [Double] = {
        var thoughts = [0.0]
        for step in 0..<160 { thoughts.append(0.004 * pow(2, Double(step) / 10)) }
        for moment in TimeGrid.requests.moments { thoughts += [moment.nextDown, moment, moment.nextUp] }
        return thoughts
    }()

    @Test("Every sequence of thoughts: no more schedules than the bits of the run")
    func schedules() throws {
        let endpoints = try Self.endpoints(calls: 2)
        var found: Set<[Int]> = []
        for first in [nil] + Self.thoughts.map(Optional.some) {
            for second in [nil] + Self.thoughts.map(Optional.some) {
                found.insert(try Self.seen([first, second].compactMap { $0 }, endpoints))
            }
        }
        let moments = TimeGrid.requests.moments.count
        #expect(found.count == 1 + moments + moments * moments)
        #expect(log2(Double(found.count)) <= EgressEndpoint.capacityBits(endpoints))
        #expect(TimeGrid.requests.bits == 4)
    }

    /// The gaps that a server sees, in microseconds, where its answers take half a second.
    static func seen(_ thoughts: [Double], _ endpoints: [EgressEndpoint]) throws -> [Int] {
        let clock = TestClock()
        let transport = RecordingTransport()
        var last = clock.seconds
        var gaps: [Int] = []
        transport.before = {
            gaps.append(Int(((clock.seconds - last) * 1e6).rounded()))
            clock.seconds += 0.5
            last = clock.seconds
        }
        var mediator = Mediator(
            endpoints: endpoints, resolver: ScriptedResolver(["1.1.1.1"]), transport: transport,
            clock: clock, recorder: ScriptedRecorder())
        for thought in thoughts {
            clock.seconds += thought
            _ = try mediator.fetch("ping", [])
            // What is refused before anybody sees it begins no new count.
            clock.seconds += 0.0031
            _ = try mediator.fetch("other", [])
            clock.seconds -= 0.0031
        }
        return gaps
    }

    @Test("A refused ask does not move the moments of the next")
    func refusals() throws {
        let clock = TestClock()
        let transport = RecordingTransport()
        let recorder = ScriptedRecorder()
        let begun = clock.seconds
        var mediator = Mediator(
            endpoints: try Self.endpoints(calls: 2), resolver: ScriptedResolver(["1.1.1.1"]),
            transport: transport, clock: clock, recorder: recorder)
        clock.seconds += 0.033
        _ = try mediator.fetch("other", [])
        recorder.refusal = EgressRefusal(.notGranted, Diagnostic(.grantNoLongerStands, "taken back"))
        _ = try mediator.fetch("ping", [])
        recorder.refusal = nil
        clock.seconds += 0.011
        var left: Double?
        transport.before = { left = clock.seconds }
        _ = try mediator.fetch("ping", [])
        let moment = try #require(left) - begun
        #expect(TimeGrid.requests.moments.contains { abs($0 - moment) < 1e-9 })
    }

    @Test("After the last moment nothing leaves")
    func late() throws {
        let clock = TestClock()
        let transport = RecordingTransport()
        var mediator = Mediator(
            endpoints: try Self.endpoints(calls: 2), resolver: ScriptedResolver(["1.1.1.1"]),
            transport: transport, clock: clock, recorder: ScriptedRecorder())
        clock.seconds += 700
        guard case .failure(let refusal) = try mediator.fetch("ping", []) else {
            Issue.record("it was sent")
            return
        }
        #expect(refusal.diagnostic.code == .egressBudgetUsedUp && refusal.code == .budget)
        #expect(transport.sent.isEmpty)
    }

    @Test("The connection of the last call there can be does not wait for the end of the run")
    func connections() throws {
        let transport = RecordingTransport()
        var mediator = Mediator(
            endpoints: try Self.endpoints(calls: 2), resolver: ScriptedResolver(["1.1.1.1"]),
            transport: transport, clock: TestClock(), recorder: ScriptedRecorder())
        _ = try mediator.fetch("ping", [])
        #expect(transport.closed == 0)
        _ = try mediator.fetch("ping", [])
        #expect(transport.closed == 1)
    }

    @Test("A cancelled wait ends at once, and so does every later one")
    func cancelled() {
        let clock = MonotonicClock()
        clock.cancel()
        let before = clock.seconds
        clock.wait(until: before + 3_600)
        clock.wait(until: before + 3_600)
        #expect(clock.seconds < before + 3_600)
        let other = MonotonicClock()
        other.wait(until: other.seconds + 0.001)
    }
}
