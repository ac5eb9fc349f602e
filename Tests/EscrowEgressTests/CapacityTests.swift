import EscrowEgress
import EscrowJSON
import EscrowManifest
import Glibc
import Testing

/// Small templates, filled in every way there is: nobody can send more different requests than the stated bits say.
@Suite("No template carries more than it says")
struct CapacityTests {
    /// Values that a plugin may try for any field, good and bad.
    static let attempts: [JSONValue] = {
        var values: [JSONValue] = [
            .null, true, false, [], [:], "", "x", "y", "K", "\u{212A}", "e\u{301}", "\u{E9}",
        ]
        for number in -40...40 { values.append(.integer(Int64(number))) }
        for number in -400...400 { values.append(.real(Double(number) / 100)) }
        for number: Double in [
            -0.0, 5e-324, -5e-324, 0.049999999999999996, 0.05, 0.15, 0.25, 0.35, .nan, .infinity,
        ] {
            values += [.real(number), .real(-number), .real(number.nextUp), .real(number.nextDown)]
        }
        for first in 0..<16 {
            values.append(.string(String(first, radix: 16)))
            for second in 0..<16 {
                values.append(.string(String(first, radix: 16) + String(second, radix: 16)))
            }
        }
        return values
    }()

    @Test(
        "One field: the different requests are no more than its bits",
        arguments: [
            #""type": "boolean""#, #""type": "integer", "min": -3, "max": 4"#,
            #""type": "integer", "min": 7, "max": 7"#,
            #""type": "real", "min": -0.25, "max": 0.25, "decimals": 1"#,
            #""type": "real", "min": -0.3, "max": 0.3, "decimals": 1"#,
            #""type": "real", "min": 0.05, "max": 0.57, "decimals": 2"#,
            #""type": "real", "min": -0.04, "max": 0.04, "decimals": 1"#,
            #""type": "real", "min": -3, "max": 3, "decimals": 0"#,
            #""type": "real", "oneOf": [0.0, 0.5, -1.5]"#, #""type": "integer", "oneOf": [1, 2, 30]"#,
            #""type": "text", "oneOf": ["x", "K", "\u00e9"]"#, #""type": "text", "oneOf": ["x"]"#,
            #""type": "text", "maxLength": 2, "pattern": "digits""#,
            #""type": "text", "maxLength": 2, "pattern": "hexadecimal""#,
        ])
    func field(type: String) throws {
        for place in FieldAttackTests.places {
            let endpoint = try FieldAttackTests.endpoint(place, type)
            let template = RequestTemplate(endpoint)
            let name = FieldAttackTests.name(place)
            var found: Set<[UInt8]> = []
            for value in Self.attempts {
                for given in [[(name, value)], [(name, value), ("z", value)], []] {
                    if let filled = try? template.fill(given) { found.insert(filled.request.bytes) }
                }
            }
            #expect(!found.isEmpty)
            let bits = log2(Double(found.count))
            #expect(bits <= endpoint.callBits + 1e-9, "\(found.count) requests in \(place)")
            // Of what these attempts cover all is found, so the bound is no fantasy either.
            // A header holds ASCII alone.
            #expect(
                endpoint.callBits - bits < (place == "header" ? 0.6 : 0.2),
                "\(found.count) requests in \(place)")
        }
    }

    @Test("Several fields, in any order, joined or not, in any place: no more than their sum")
    func fields() throws {
        let endpoint = try Fixture.endpoint(
            """
            "a": { "in": "path", "type": "integer", "min": 0, "max": 2 },
            "b": { "in": "query", "as": "p", "type": "real", "min": -0.1, "max": 0.1, "decimals": 1 },
            "c": { "in": "query", "as": "p", "joinedBy": ",", "type": "real", "min": 0, "max": 1, "decimals": 0 },
            "api-version": { "in": "header", "type": "boolean" },
            "e": { "in": "body", "type": "boolean" },
            "f": { "in": "body", "type": "text", "oneOf": ["K", "y"] },
            "g": { "in": "body", "type": "text", "oneOf": ["always"] }
            """, method: "POST", url: "https://api.example.org/{a}")
        let template = RequestTemplate(endpoint)
        var found: Set<[UInt8]> = []
        var tried: [[(name: String, value: JSONValue)]] = [[]]
        func vary(_ name: String, _ values: [JSONValue]) {
            tried = tried.flatMap { given in values.map { given + [(name, $0)] } + [given] }
        }
        vary("a", [0, 1, 2, 3])
        vary("b", [.real(-0.1), .real(-0.04), .real(0.1), .real(0.06)])
        vary("c", [0, .real(0.4), .real(0.5), 1])
        vary("api-version", [true, false])
        vary("e", [true, false])
        vary("f", ["K", "y", "\u{212A}"])
        vary("g", ["always"])
        for given in tried {
            for order in [given, given.reversed()] {
                if let filled = try? template.fill(order) { found.insert(filled.request.bytes) }
            }
        }
        #expect(found.count == 3 * 3 * 2 * 2 * 2 * 2)
        #expect(abs(endpoint.callBits - log2(Double(found.count))) < 1e-9)
    }

    @Test("A run: which endpoints were called, how often and in what order is counted as well")
    func run() throws {
        func endpoint(_ name: String, _ fields: String, _ calls: Int) -> String {
            """
            { "name": "\(name)", "why": "to try it", "method": "GET", "url": "https://\(name).example.org/",
              "fields": { \(fields) }, "response": { "type": "application/json", "maxBytes": 10 },
              "maxCalls": \(calls) }
            """
        }
        let flag = #""f": { "in": "query", "type": "boolean" }"#
        let manifest = try Fixture.manifest(
            [endpoint("a", flag, 2), endpoint("b", "", 1), endpoint("c", "", 2)].joined(separator: ","))
        let endpoints = manifest.egress
        let asks: [(name: String, fields: [(name: String, value: JSONValue)])] = [
            ("a", [("f", true)]), ("a", [("f", false)]), ("b", []), ("c", []),
        ]
        var found: Set<[[UInt8]]> = []
        // All sequences of up to six asks: one more than there are calls.
        var sequences: [[Int]] = [[]]
        for length in 0...6 {
            for sequence in sequences {
                let transport = RecordingTransport()
                var mediator = Mediator(
                    endpoints: endpoints, resolver: ScriptedResolver(["1.1.1.1"]), transport: transport,
                    clock: TestClock(), recorder: ScriptedRecorder())
                for ask in sequence { _ = try mediator.fetch(asks[ask].name, asks[ask].fields) }
                found.insert(transport.sent.map(\.bytes))
            }
            if length < 6 {
                sequences = sequences.flatMap { sequence in asks.indices.map { sequence + [$0] } }
            }
        }
        // Not to call at all is one of them.
        #expect(found.contains([]))
        let bits = log2(Double(found.count))
        #expect(bits <= EgressEndpoint.capacityBits(endpoints))
        // When each of them left is counted apart: MomentTests.
        #expect(EgressEndpoint.capacityBits(endpoints) - 5 * TimeGrid.requests.bits - bits < 8)
        // A day's budget is charged at a run's start and for each call. Kraft: charged like that, no code that tells all these
        // runs apart is shorter.
        let weight = found.reduce(0.0) { sum, calls in
            let charged = calls.reduce(manifest.budgetBitsAtStart) { bits, call in
                let isA = String(decoding: call, as: UTF8.self).contains("host: a.")
                return bits + manifest.budgetBits(of: endpoints[isA ? 0 : 1], isFirst: false)
                    - TimeGrid.requests.bits
            }
            return sum + exp2(-charged)
        }
        #expect(weight <= 1)
    }
}
