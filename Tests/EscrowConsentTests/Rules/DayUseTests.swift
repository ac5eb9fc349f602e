import EscrowConsent
import Testing

/// How much of a day the rules leave a run.
@Suite struct DayUseTests {
    private func facts(cpu: Int?, bytes: Int?) -> DataflowFacts {
        var facts = Fixture.facts
        facts.cpuSecondsToday = cpu
        facts.bytesToday = bytes
        return facts
    }

    private func granted(
        _ rules: String, cpu: Int? = 0, bytes: Int? = 0, wanted: DayUse = .init(cpuSeconds: 10, bytes: 1000),
        isPermitted: Bool = false
    ) throws -> [Int] {
        let use = try Fixture.preferences(rules).granted(
            wanted, to: facts(cpu: cpu, bytes: bytes), isPermitted: isPermitted)
        return [use.cpuSeconds, use.bytes]
    }

    @Test func withoutRulesAboutTheDayAllIsGranted() throws {
        #expect(try granted("") == [10, 1000])
        #expect(
            try granted(#"{"id": "f", "effect": "forbid", "when": {"purpose": ["marketing"]}}"#) == [
                10, 1000,
            ])
    }

    @Test func aForbidAndARequirementLeaveWhatLiesBelowThem() throws {
        let forbid = #"{"id": "f", "effect": "forbid", "when": {"bytesToday": {"atLeast": 500}}}"#
        #expect(try granted(forbid) == [10, 499])
        #expect(try granted(forbid, bytes: 499) == [10, 0])
        // Where it forbids already there is nothing left to come to.
        #expect(try granted(forbid, bytes: 500) == [10, 1000])
        for missing in ["refuse", "wait"] {
            let need =
                #"{"id": "n", "effect": "require", "needs": {"cpuSecondsToday": {"atMost": 7}}, "missing": "\#(missing)"}"#
            #expect(try granted(need, cpu: 3) == [4, 1000])
            #expect(try granted(need, cpu: 7) == [0, 1000])
        }
        // A rule about another app leaves this one all.
        let other =
            #"{"id": "f", "effect": "forbid", "when": {"app": ["org.example.other"], "bytesToday": {"atLeast": 5}}}"#
        #expect(try granted(other) == [10, 1000])
    }

    @Test func aPermitBoundsOnlyWhatNothingElsePermits() throws {
        let permit =
            #"{"id": "p", "effect": "permit", "prompt": "skip", "when": {"bytesToday": {"atMost": 300}}}"#
        #expect(try granted(permit, bytes: 100) == [10, 1000])
        #expect(try granted(permit, bytes: 100, isPermitted: true) == [10, 200])
    }

    @Test func aRuleAboutBothIsNotPassedByHalves() throws {
        let both =
            #"{"id": "f", "effect": "forbid", "when": {"bytesToday": {"atLeast": 500}, "cpuSecondsToday": {"atLeast": 6}}}"#
        let use = try granted(both)
        #expect(use == [5, 1000])
    }

    @Test func hugeNumbersDoNotWrap() throws {
        let forbid = #"{"id": "f", "effect": "forbid", "when": {"bytesToday": {"atLeast": 9000}}}"#
        #expect(
            try granted(forbid, bytes: 8000, wanted: .init(cpuSeconds: .max, bytes: .max)) == [.max, 999])
        #expect(try granted(forbid, cpu: nil, bytes: nil) == [10, 1000])
    }
}
