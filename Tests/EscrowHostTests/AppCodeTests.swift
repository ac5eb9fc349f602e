import EscrowDiagnostics
import Testing

/// What an app is told of each error: nothing that depends on the data, and of a denial not who said no.
@Suite struct AppCodeTests {
    @Test func onceDataWasReadAllFailuresLookTheSame() {
        for code in Diagnostic.Code.allCases where code != .decisionChanged {
            #expect(code.shown(hasReadData: true) == .noResult, "\(code)")
        }
        #expect(Diagnostic.Code.decisionChanged.shown(hasReadData: true) == .decisionChanged)
    }

    @Test func aDenialIsADenialAndARestrictionIsTold() {
        let rules: [Diagnostic.Code] = [
            .ruleForbids, .noRulePermits, .refusedForNow, .begunElsewhere, .rulesChanged,
        ]
        for code in rules {
            #expect(code.shown(hasReadData: false) == .denied, "\(code)")
            #expect(code.exitStatus == Diagnostic.Code.denied.exitStatus, "\(code)")
        }
        for code in Diagnostic.Code.allCases where !rules.contains(code) {
            #expect(code.shown(hasReadData: false) == code, "\(code)")
        }
    }
}
