import EscrowEgress
import EscrowManifest
import Glibc
import Testing

/// A plugin's day under a budget: it tells things by its requests, by which of its runs send any, and by when kept connections
/// close.
@Suite("A day carries no more than its budget")
struct RunChargeTests {
    /// What a plugin can have its runs do, counted.
    private struct Day {
        let manifest: Manifest
        var known: [[Int]: Double] = [:]
        var longest = 0

        init(_ manifest: Manifest) { self.manifest = manifest }

        /// In how many ways so many runs can look from outside with so many bits left.
        mutating func ways(runs: Int, bits: Int) -> Double {
            guard runs > 0 else { return 1 }
            if let ways = known[[runs, bits]] { return ways }
            let start = RunCharge(manifest)
            let ways =
                start.whole > bits
                ? self.ways(runs: runs - 1, bits: bits)
                : self.ways(
                    of: start, [:], runs: runs, bits: bits - start.whole)
            known[[runs, bits]] = ways
            return ways
        }

        /// The same of a run that made some of its calls, and all runs after it.
        private mutating func ways(
            of charge: RunCharge, _ calls: [String: Int], runs: Int, bits: Int
        ) -> Double {
            longest = max(longest, charge.whole)
            // The run ends here; of one that sent, its servers see when, where a further call could have come.
            let isOver = manifest.requests.allSatisfy { calls[$0.name] == $0.maxCalls }
            let isKept = !manifest.requests.allSatisfy(\.isUnlinkable)
            let ends = calls.isEmpty || isOver || !isKept ? 1 : Double(manifest.resultMoments.moments.count)
            var sum = ends * ways(runs: runs - 1, bits: bits)
            for endpoint in manifest.requests where calls[endpoint.name] ?? 0 < endpoint.maxCalls {
                let next = charge.adding(endpoint)
                guard next.whole - charge.whole <= bits else { continue }
                let seen = exp2(endpoint.callBits) * Double(TimeGrid.requests.moments.count)
                let after = calls.merging([endpoint.name: 1]) { $0 + $1 }
                sum += seen * ways(of: next, after, runs: runs, bits: bits - next.whole + charge.whole)
            }
            return sum
        }
    }

    private static func endpoint(_ name: String, _ calls: Int, _ more: String = "") -> String {
        """
        { "name": "\(name)", "why": "to try it", "method": "GET", "url": "https://\(name).example.org/",
          "response": { "type": "application/json", "maxBytes": 10 }, "maxCalls": \(calls) \(more) }
        """
    }

    private static let flag = #", "fields": { "f": { "in": "query", "type": "boolean" } }"#
    static let egress = [
        endpoint("a", 1), endpoint("a", 3), endpoint("a", 2, flag),
        endpoint("a", 2, #", "unlinkable": true"#),
        endpoint("a", 1, flag) + "," + endpoint("b", 2), endpoint("a", 1) + "," + endpoint("b", 1, flag),
    ]

    @Test(
        "Whatever runs send, and whichever of them do, they look different in no more ways than 2 to the budget",
        arguments: egress)
    func ways(egress: String) throws {
        let manifest = try Fixture.manifest(egress)
        var day = Day(manifest)
        for bits in 0...60 {
            for runs in [1, 2, 7, 30] {
                let ways = day.ways(runs: runs, bits: bits)
                #expect(log2(ways) <= Double(bits) + 1e-6, "\(runs) runs, \(bits) bits")
            }
        }
        // What a sheet says of a run is never less than what one takes.
        #expect(day.longest <= Int(manifest.sentBits.rounded(.up)))
    }

    @Test("A run of requests together is taken whole at its start, since to send none is a choice of it")
    func together() throws {
        let manifest = try Fixture.manifest(Self.endpoint("a", 2, #", "together": true"# + Self.flag))
        let start = RunCharge(manifest)
        #expect(start.whole == Int(manifest.sentBits.rounded(.up)))
        #expect(start.adding(try #require(manifest.requests.first)).whole == start.whole)
    }

    @Test("Runs that send nothing take something, too")
    func silence() throws {
        #expect(RunCharge(try Fixture.manifest(Self.endpoint("a", 1))).whole == 1)
        #expect(RunCharge(try Fixture.manifest(Self.endpoint("a", 7))).whole == 3)
    }

    @Test("What is done on this machine takes nothing, and is no first request")
    func effects() throws {
        let manifest = try Fixture.manifest(
            Self.endpoint("a", 2) + """
                , { "name": "tell", "why": "to tell you", "method": "ACT", "url": "device:notification",
                  "fields": { "title": { "in": "body", "type": "text", "maxLength": 9 },
                              "text": { "in": "body", "type": "text", "maxLength": 9 } },
                  "response": { "type": "application/json", "maxBytes": 10 }, "maxCalls": 3 }
                """)
        let start = RunCharge(manifest)
        let effect = try #require(manifest.effects.first)
        let request = try #require(manifest.requests.first)
        #expect(start.adding(effect).whole == start.whole)
        #expect(start.adding(effect).adding(request).whole == start.adding(request).whole)
    }
}

extension Fixture {
    /// A manifest whose `egress` lists these endpoints.
    static func manifest(_ list: String) throws -> Manifest {
        let text = """
            { "schema": "escrow.plugin/1", "id": "org.example.weather", "version": "1.0.0", "sequence": 1,
              "title": "Weather", "purpose": { "code": "personal-summary", "text": "Shows the weather" },
              "publisher": { "name": "Example" }, "host": ">=0.1.0 <1.0.0",
              "protocol": { "major": 1, "mode": "ask", "features": ["rows", "fetch"] },
              "accepts": { "columns": [ { "name": "latitude", "type": "real" } ],
                           "reads": { "Location": ["latitude"] } },
              "result": { "kind": "record", "fields": { "t": { "type": "real" } }, "maxBytes": 64 },
              "egress": [ \(list) ],
              "sandbox": { "profile": "strict" },
              "artifacts": [ { "platform": "linux-x86_64", "path": "bin/weather", "linkage": "static" } ] }
            """
        return try Manifest.parseAuthored(Array(text.utf8), file: "plugin.json")
    }
}
