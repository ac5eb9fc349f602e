import EscrowDiagnostics
import EscrowEgress
import EscrowJSON
import EscrowManifest
import Glibc
import Testing

@Suite("Requests that leave together leave at one moment, in the host's order, all of them or none")
struct TogetherTests {
    let recorder = ScriptedRecorder()
    let transport = RecordingTransport()
    let clock = TestClock()

    static func endpoint(_ name: String, calls: Int, fields: String = "", more: String = "") -> String {
        """
        { "name": "\(name)", "why": "to try it", "method": "GET", "url": "https://\(name).example.org/",
          "fields": { \(fields) }, "response": { "type": "application/json", "maxBytes": 10 },
          "maxCalls": \(calls) \(more) }
        """
    }

    static let together = #", "together": true"#
    static let flag = #""f": { "in": "query", "type": "boolean" }"#

    /// `a` with a flag, and `b` without a field, each twice at most.
    static func pair(_ more: String = together) throws -> [EgressEndpoint] {
        try Fixture.endpoints(
            endpoint("a", calls: 2, fields: flag, more: more) + "," + endpoint("b", calls: 2, more: more))
    }

    static let yes: Mediator.Ask = ("a", [("f", true)])
    static let no: Mediator.Ask = ("a", [("f", false)])
    static let plain: Mediator.Ask = ("b", [])

    func mediator(
        _ resolver: ScriptedResolver = ScriptedResolver(["1.1.1.1"]), _ endpoints: [EgressEndpoint]? = nil,
        patience: Patience = .standard
    ) throws -> Mediator {
        Mediator(
            endpoints: try endpoints ?? Self.pair(), resolver: resolver, transport: transport,
            patience: patience, clock: clock, recorder: recorder)
    }

    /// How each ended, as the plugin is told; the one code where all were refused.
    func told(_ result: Result<[Mediator.End], EgressRefusal>) -> [String] {
        func word(_ end: Mediator.End) -> String {
            switch end {
            case .success(let response): "\(response.status)"
            case .failure(let refusal): refusal.diagnostic.code.rawValue
            }
        }
        switch result {
        case .success(let ends): return ends.map(word)
        case .failure(let refusal): return ["all \(refusal.diagnostic.code.rawValue)"]
        }
    }

    /// `a?f=true` for each request that was sent.
    var sent: [String] {
        transport.sent.map { item in
            let line = String(decoding: item.bytes.prefix { $0 != 0x0D }, as: UTF8.self)
            let target = line.split(separator: " ")[1].dropFirst()
            return (item.destination.host.split(separator: ".").first.map(String.init) ?? "") + target
        }
    }

    @Test("All are checked, then recorded, then sent; the answers come in the order of the asks")
    func steps() throws {
        let resolver = ScriptedResolver(["1.1.1.1"])
        var mediator = try mediator(resolver)
        transport.before = { [recorder] in recorder.events.append("send") }
        let begun = clock.seconds
        let result = try mediator.fetch(together: [Self.plain, Self.yes, Self.no])
        #expect(told(result) == ["200", "200", "200"])
        #expect(sent == ["a?f=false", "a?f=true", "b"])
        #expect(
            recorder.events == ["admit 3"] + Array(repeating: "record", count: 3)
                + Array(repeating: ["send", "end"], count: 3).flatMap { $0 })
        #expect(resolver.asked == ["a.example.org", "b.example.org"])
        #expect(abs(clock.seconds - begun - 0.02) < 1e-9)
        #expect(mediator.sentCount == 3)
        // None can follow, so nobody sees when the run ends.
        #expect(transport.closed == 1)
    }

    @Test("A fault in one refuses all, before anything leaves and before the grant is asked")
    func faults() throws {
        for (asks, code) in [
            ([Self.yes, ("a", [("f", 3)])], "E0603"), ([Self.yes, ("other", [])], "E0602"),
            ([Self.plain, Self.plain, Self.yes, Self.plain], "E0604"),
        ] as [([Mediator.Ask], String)] {
            let resolver = ScriptedResolver(["1.1.1.1"])
            recorder.events = []
            var mediator = try mediator(resolver)
            #expect(told(try mediator.fetch(together: asks)) == ["all \(code)"])
            #expect(recorder.events == ["refused \(code)"])
            #expect(resolver.asked.isEmpty)
        }
        recorder.refusal = EgressRefusal(.budget, Diagnostic(.egressBudgetUsedUp, "used up"))
        var mediator = try mediator()
        #expect(told(try mediator.fetch(together: [Self.yes, Self.no])) == ["all E0604"])
        #expect(transport.sent.isEmpty)
    }

    @Test("The bytes that a run may send are counted over all of them")
    func bytes() throws {
        for (most, expected) in [(400, ["200", "200"]), (200, ["all E0604"])] {
            let endpoints = try Fixture.endpoints(
                Self.endpoint(
                    "a", calls: 2, fields: Self.flag, more: Self.together + #", "maxBytes": \#(most)"#))
            var mediator = try mediator(ScriptedResolver(["1.1.1.1"]), endpoints)
            #expect(told(try mediator.fetch(together: [Self.yes, Self.no])) == expected)
        }
    }

    @Test("There is one ask a run, whatever came of it, and none for a single request")
    func once() throws {
        for first in [[Self.yes], [("other", [])]] as [[Mediator.Ask]] {
            var mediator = try mediator()
            _ = try mediator.fetch(together: first)
            #expect(told(try mediator.fetch(together: [Self.no])) == ["all E0613"])
            guard case .failure(let refusal) = try mediator.fetch("b", []) else {
                Issue.record("a single request was sent")
                continue
            }
            #expect(refusal.diagnostic.code == .notTogether && refusal.code == .together)
        }
        #expect(sent == ["a?f=true"])
        var apart = try mediator(ScriptedResolver(["1.1.1.1"]), try Self.pair(""))
        #expect(told(try apart.fetch(together: [Self.yes])) == ["all E0613"])
        #expect(sent.count == 1)
    }

    @Test("A name without an address keeps back the requests to it, and no others")
    func names() throws {
        var mediator = try mediator(ScriptedResolver([], ["1.1.1.1"]))
        let result = try mediator.fetch(together: [Self.plain, Self.yes, Self.plain, Self.no])
        #expect(told(result) == ["200", "E0606", "200", "E0606"])
        #expect(sent == ["b", "b"])
        #expect(recorder.events.count { $0 == "refused E0606" } == 1)
    }

    @Test("A grant that is taken back stops those that did not leave")
    func takenBack() throws {
        var mediator = try mediator()
        let refusal = EgressRefusal(.notGranted, Diagnostic(.grantNoLongerStands, "taken back"))
        recorder.standing = { (request) throws(Diagnostic) in request.endpoint.name == "b" ? refusal : nil }
        #expect(
            told(try mediator.fetch(together: [Self.yes, Self.plain, Self.no])) == ["200", "E0605", "200"])
        #expect(mediator.sentCount == 2)
    }

    @Test(
        "What cannot be recorded before is not sent; what cannot be recorded after stops none of the others")
    func records() throws {
        recorder.failure = Diagnostic(.ownFault, "the disk is full")
        var unrecorded = try mediator()
        #expect(throws: Diagnostic.self) { try unrecorded.fetch(together: [Self.yes, Self.no]) }
        #expect(transport.sent.isEmpty)
        recorder.failure = nil
        recorder.endFailure = Diagnostic(.ownFault, "the disk is full")
        var mediator = try mediator()
        #expect(throws: Diagnostic.self) { try mediator.fetch(together: [Self.yes, Self.no]) }
        #expect(sent == ["a?f=false", "a?f=true"])
        #expect(transport.closed == 2)
    }

    @Test("All of them take no longer than one may")
    func time() throws {
        transport.before = { [clock] in clock.seconds += 20 }
        var mediator = try mediator()
        let result = try mediator.fetch(together: [Self.yes, Self.no, Self.plain])
        #expect(told(result) == ["200", "200", "E0608"])
        #expect(transport.patience.map { $0.rounded() } == [30, 10])
        clock.seconds += 700
        var late = try self.mediator()
        clock.seconds += 700
        #expect(told(try late.fetch(together: [Self.yes])) == ["all E0604"])
    }

    @Test("Every run in every order and at every pace: as many can be told apart as the bits say")
    func capacity() throws {
        let endpoints = try Fixture.endpoints(
            Self.endpoint("a", calls: 2, fields: Self.flag, more: Self.together) + ","
                + Self.endpoint("b", calls: 1, more: Self.together))
        let kinds = [Self.yes, Self.no, Self.plain]
        // Nothing, before each moment, about at it, and when it is too late.
        let thoughts: [Double] = [0, 1_000] + TimeGrid.requests.moments.flatMap { [$0 * 0.75, $0] }
        var found: Set<[String]> = []
        // All sequences of up to four: one more than there are calls.
        var sequences: [[Mediator.Ask]] = [[]]
        for length in 0...4 {
            for asks in sequences {
                for thought in thoughts { found.insert(try Self.seen(asks, after: thought, endpoints)) }
            }
            if length < 4 {
                sequences = sequences.flatMap { sequence in kinds.map { sequence + [$0] } }
            }
        }
        #expect(found.contains([]))
        // Six ways to send up to two of two requests, two to send one or none; at sixteen moments, or nothing.
        #expect(found.count == 1 + 16 * (6 * 2 - 1))
        #expect(abs(EgressEndpoint.capacityBits(endpoints) - log2(Double(found.count))) < 1e-9)
    }

    /// What servers see of a run whose plugin thinks and then asks, and asks once more: the requests with the gaps between
    /// them, where answers take half a second.
    private static func seen(
        _ asks: [Mediator.Ask], after thought: Double, _ endpoints: [EgressEndpoint]
    ) throws -> [String] {
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
            endpoints: endpoints, resolver: ScriptedResolver(["1.1.1.1"]), transport: transport, clock: clock,
            recorder: ScriptedRecorder())
        clock.seconds += thought
        if !asks.isEmpty { _ = try mediator.fetch(together: asks) }
        _ = try mediator.fetch("a", [("f", true)])
        if !asks.isEmpty { _ = try mediator.fetch(together: [Self.plain]) }
        return zip(gaps, transport.sent).map { "\($0) \(String(decoding: $1.bytes, as: UTF8.self))" }
    }
}
