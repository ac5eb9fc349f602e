import EscrowConsent
import EscrowJSON
import Foundation
import Testing

/// Cedar on the other side: over random rules and dataflows both must find the same rules to match and the same rules to be
/// beyond evaluation. Without cedarpy this says SKIP.
///
/// `ESCROW_CEDAR_CASES=100000` runs that many.
@Suite struct CedarTests {
    static let script = "\(Fixture.root)/Tests/Support/cedar_oracle.py"

    struct Answer: Decodable {
        let allow: Bool
        let reasons: [String]
        let errors: [String]
    }

    struct Tally {
        var allowed = 0
        var denied = 0
        var byDefault = 0
        var unevaluable = 0
    }

    @Test func cedarFindsTheSameRulesToMatch() throws {
        guard Python.has("cedarpy") else { return }
        let asked = ProcessInfo.processInfo.environment["ESCROW_CEDAR_CASES"].flatMap(Int.init)
        let count = asked ?? 3000
        var random = RandomPreferences(seed: 20_261_121)
        var input = JSONWriter.line(Self.tree) + [0x0A]
        var decided: [Decision] = []
        var texts: [String] = []
        for _ in 0..<count {
            let rules = random.rules(8)
            let facts = random.facts()
            let preferences = try Preferences.parse(
                JSONWriter.line(["escrow-preferences": 1, "rules": .array(rules)]), file: "random")
            decided.append(preferences.decide(facts))
            var known = facts.json.members ?? []
            for (name, value) in [("app", facts.app), ("plugin", facts.plugin), ("purpose", facts.purpose)] {
                if let value { known.append((name, .string(value))) }
            }
            let line = JSONWriter.line(["rules": .array(rules), "facts": .object(known)])
            texts.append(String(decoding: line, as: UTF8.self))
            input += line + [0x0A]
        }
        let lines = try Python.run([Self.script], input: Data(input)).split(separator: "\n")
        #expect(lines.count == count)
        var tally = Tally()
        for (index, line) in lines.enumerated() {
            let cedar = try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
            let difference = Self.difference(decided[index], cedar, &tally)
            #expect(difference == nil, "case \(index): \(difference ?? "")\n\(texts[index])")
            if difference != nil { break }
        }
        print(
            "cedar: \(lines.count) cases, \(tally.allowed) allowed, \(tally.denied) denied by a rule, "
                + "\(tally.byDefault) by default, \(tally.unevaluable) with rules that cannot be evaluated")
        // A generator that never gets anywhere would agree with anything.
        #expect(
            min(tally.allowed, tally.denied, tally.byDefault, tally.unevaluable) > count / 20, "\(tally)")
    }

    /// How a decision differs from what Cedar says; nil where it does not.
    private static func difference(_ decision: Decision, _ cedar: Answer, _ tally: inout Tally) -> String? {
        let objecting = decision.grounds.objections.filter { !decision.grounds.unevaluable.contains($0) }
        if !cedar.errors.isEmpty { tally.unevaluable += 1 }
        if cedar.errors != decision.grounds.unevaluable {
            return "beyond evaluation: \(cedar.errors) \(decision)"
        }
        if cedar.allow {
            tally.allowed += 1
            if cedar.reasons != decision.grounds.permits { return "permits: \(cedar.reasons) \(decision)" }
            if !objecting.isEmpty { return "cedar has no objection: \(decision)" }
        } else if cedar.reasons.isEmpty {
            tally.byDefault += 1
            if !decision.grounds.permits.isEmpty || !objecting.isEmpty {
                return "cedar has no rule: \(decision)"
            }
        } else {
            tally.denied += 1
            if cedar.reasons != objecting { return "objections: \(cedar.reasons) \(decision)" }
        }
        // Where Cedar passes over a rule that it cannot evaluate, a forbid or a requirement counts here.
        if !decision.grounds.objections.isEmpty, decision.grounds.ownWaits.isEmpty,
            decision.outcome != .forbidden, decision.outcome != .refused
        {
            return "an objection was passed over: \(decision)"
        }
        return nil
    }

    /// The purposes as the oracle takes them.
    private static var tree: JSONValue {
        .array(
            PurposeTree.nodes.map {
                [
                    "code": .string($0.code), "broader": .array($0.broader.map(JSONValue.string)),
                    "unbounded": .bool($0.isUnbounded),
                ]
            })
    }
}
