import EscrowLocationPrivacy
import Testing

@Suite struct NoiseBudgetTests {
    @Test func aDayHasSoMuchAndNoMore() {
        var budget = NoiseBudget(limit: 0.3)
        #expect(budget.spend(0.1, on: 5) && budget.spend(0.1, on: 5) && budget.spend(0.1, on: 5))
        let full = budget
        #expect(!budget.spend(0.1, on: 5) && budget == full)
        // A clock that is set back opens no new day.
        #expect(!budget.spend(0.1, on: 4) && !budget.spend(.nan, on: 6) && !budget.spend(-1, on: 6))
        #expect(budget.spend(0.2, on: 6) && budget.spent == 0.2)
        var kept = NoiseBudget(limit: 1, day: 3, spent: .nan)
        #expect(!kept.spend(0.1, on: 3) && kept.spend(0.1, on: 4))
    }

    /// A commute: standing costs nothing, what still serves costs a test, and when the day is spent the answer stays.
    @Test func aTraceSpendsOnlyWhereTheLastAnswerNoLongerServes() throws {
        let home = try MaskTests.at(52.5, 13.4)
        var trace = try PredictiveTrace(
            epsilon: 0.01, testEpsilon: 0.01, threshold: 1_500, budget: NoiseBudget(limit: 2),
            key: MaskTests.key)
        let start = try trace.release(home, on: 1)
        guard case .fresh(let first) = start else {
            Issue.record("the first answer is new")
            return
        }
        for _ in 0..<50 { #expect(try trace.release(home, on: 1) == .kept(first)) }
        #expect(abs(trace.budget.spent - 0.01) < 1e-12)
        var (fresh, kept) = (0, 0)
        for step in 1...100 {
            let point = Ellipsoid.point(from: home, bearing: 70, metres: Double(step) * 100)
            switch try trace.release(point, on: 1) {
            case .fresh(let masked):
                fresh += 1
                #expect(Ellipsoid.distance(masked.coordinates, point) < 2_500)
            case .kept: kept += 1
            case .spent: Issue.record("ten kilometres cost less than the budget")
            }
        }
        // Ten kilometres with answers that serve for 1.5: a handful are new.
        #expect((4...30).contains(fresh) && kept > 60)
        #expect(trace.budget.spent < 1.3)
    }

    @Test func whatIsSpentStaysAsItWas() throws {
        let home = try MaskTests.at(52.5, 13.4)
        var trace = try PredictiveTrace(
            epsilon: 0.01, testEpsilon: 0.001, threshold: 100, budget: NoiseBudget(limit: 0.011),
            key: MaskTests.key)
        let first = try trace.release(home, on: 1).told
        let far = Ellipsoid.point(from: home, bearing: 70, metres: 20_000)
        #expect(first != nil)
        #expect(try trace.release(far, on: 1) == .spent(first))
        #expect(try trace.release(far, on: 1) == .spent(first))
        let next = try trace.release(far, on: 2)
        #expect(next != .spent(first) && next.told != first)
        var none = try PredictiveTrace(
            epsilon: 0.01, testEpsilon: 0.001, threshold: 100, budget: NoiseBudget(limit: 0),
            key: MaskTests.key)
        #expect(try none.release(home, on: 1) == .spent(nil))
    }

    @Test func measuresAreThoseOfTheirPapers() throws {
        #expect(PrivacyMeasures.anonymity([5, 3, 9]) == 3 && PrivacyMeasures.anonymity([]) == 0)
        let even = PrivacyMeasures.diversity(["flu", "cold", "flu", "cold"])
        #expect(even.distinct == 2 && abs(even.effective - 2) < 1e-12)
        let skewed = PrivacyMeasures.diversity(["flu", "flu", "flu", "cold"])
        #expect(skewed.distinct == 2 && (1.7...1.8).contains(skewed.effective))
        #expect(PrivacyMeasures.diversity([Int]()) == (0, 0))
        // The salaries of the paper on t-closeness: 3k to 11k; the group 3k, 4k, 5k is 0.375 away, 6k, 8k, 11k is 0.167.
        let salaries = (3...11).map(Double.init)
        let low = try #require(PrivacyMeasures.closeness([3, 4, 5], to: salaries))
        let spread = try #require(PrivacyMeasures.closeness([6, 8, 11], to: salaries))
        #expect(abs(low - 0.375) < 1e-12 && abs(spread - 1.0 / 6) < 1e-12)
        #expect(PrivacyMeasures.closeness([], to: salaries) == nil)
    }
}
