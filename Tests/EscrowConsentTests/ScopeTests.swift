import EscrowConsent
import EscrowDiagnostics
import Synchronization
import Testing

/// Decisions that hold for a time, by a clock of the test's own.
@Suite struct ScopeTests {
    /// A clock that the test sets.
    final class Clock: Sendable {
        private let time = Mutex(ConsentTime("2026-03-01T10:00:00Z")!)
        var now: ConsentTime { time.withLock { $0 } }
        func advance(hours: Int64) {
            time.withLock { $0 = ConsentTime(milliseconds: $0.milliseconds + hours * 3_600_000) }
        }
    }

    let scratch = Scratch()
    let clock = Clock()
    var store: GrantStore { store() }
    let sample = DataflowDescription.sample

    /// A store of a host process that begins now, or then.
    func store(hostStart: ConsentTime? = nil) -> GrantStore {
        let clock = clock
        return GrantStore(directory: scratch.path, clock: { clock.now }, hostStart: hostStart)
    }

    /// State and reason, as words.
    func standing(_ store: GrantStore? = nil, _ description: DataflowDescription? = nil) throws -> String {
        let decision = try (store ?? self.store).decide(for: description ?? sample)
        return "\(decision.state.rawValue) \(decision.reason.rawValue)"
    }

    @Test func onceByCommandIsForTheNextRunAlone() throws {
        try store.allow(sample, .init(.once, reason: .settings))
        #expect(try standing() == "authorized settings")
        // To look is no run.
        #expect(try standing() == "authorized settings")
        let claimed = try #require(try store.claim(sample).grant)
        #expect(try standing() == "notDetermined expired")
        // The run that it was for goes on, request by request.
        #expect(try store.decide(for: sample, claimed: claimed).state == .authorized)
    }

    @Test func soManyRunsAreCountedOneByOne() throws {
        try store.allow(sample, .init(.uses(3), reason: .prompt))
        for _ in 0..<3 { #expect(try store.claim(sample).state == .authorized) }
        #expect(try store.claim(sample).reason == .expired)
        #expect(
            try store.decide(for: sample).why
                == "you allowed it on 2026-03-01, 3 runs, 3 left, and that is over")
    }

    /// Who hands over keeps decisions as they are, and nobody from counting a use: with one lock for both this would wait for ever.
    @Test func aUseIsCountedWhileAnotherRunHandsOver() throws {
        try store.allow(sample, .init(.uses(3), reason: .prompt))
        let store = store
        // The first use makes the file of uses, which nobody may do meanwhile.
        #expect(try store.claim(sample).runs)
        #expect(try store.unchanged { () throws(Diagnostic) in try store.claim(sample).runs })
        #expect(try store.list().first?.useCount == 2)
    }

    @Test func aUseThatIsWaitedForLaterCountsAtOnce() throws {
        try store.allow(sample, .init(.uses(2), reason: .prompt))
        let store = store
        #expect(try store.claim(sample).runs)
        let grant = try #require(try store.claim(sample.dataflow, waits: false).grant)
        #expect(try self.store.claim(sample).reason == .expired)
        try store.awaitUses(of: grant.id)
        #expect(try self.store.list().first?.useCount == 2)
    }

    @Test func theLastOfSoManyRunsIsNeverSharedByTwo() async throws {
        try store.allow(sample, .init(.uses(5), reason: .prompt))
        let store = store
        let sample = sample
        let admitted = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 { group.addTask { try store.claim(sample).runs } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(admitted == 5)
    }

    @Test func aDenialOfSoManyRunsIsCountedAsWell() throws {
        try store.deny(sample, .init(.uses(2), reason: .prompt))
        for _ in 0..<2 { #expect(try store.claim(sample).state == .denied) }
        #expect(try store.claim(sample).state == .notDetermined)
    }

    @Test(arguments: [true, false])
    func todayEndsAtMidnightAndNotBefore(isAllowed: Bool) throws {
        let terms = GrantTerms(.today, reason: .prompt)
        let grant = isAllowed ? try store.allow(sample, terms) : try store.deny(sample, terms)
        guard case .today(let end) = grant.scope else { return #expect(Bool(false), "not today") }
        #expect(end > clock.now && end <= clock.now.adding(days: 2))
        let word = isAllowed ? "authorized" : "denied"
        #expect(try standing() == "\(word) prompt")
        while clock.now < end {
            #expect(try standing() == "\(word) prompt")
            clock.advance(hours: 1)
        }
        #expect(try standing() == "notDetermined expired")
    }

    @Test func untilADateIsUntilThatDaysEnd() throws {
        let end = try #require(ConsentTime.end(ofDay: "2026-03-04"))
        try store.allow(sample, .init(.until(end), reason: .settings))
        clock.advance(hours: 24)
        #expect(try standing() == "authorized settings")
        clock.advance(hours: 24 * 4)
        #expect(try standing() == "notDetermined expired")
    }

    @Test func thisRunOfTheAppIsForHostsThatRanThen() throws {
        let running = store(hostStart: clock.now)
        clock.advance(hours: 1)
        try store.allow(sample, .init(.session, reason: .settings))
        #expect(try standing(running) == "authorized settings")
        clock.advance(hours: 1)
        #expect(try standing(running) == "authorized settings")
        #expect(try standing(store(hostStart: clock.now)) == "notDetermined expired")
    }

    @Test func aDenialForAWhileLeavesTheGrantBeneathIt() throws {
        try store.allow(sample, .init(reason: .prompt))
        try store.deny(sample, .init(.today, reason: .prompt))
        #expect(try standing() == "denied prompt")
        clock.advance(hours: 48)
        #expect(try standing() == "authorized prompt")
    }

    @Test func whatIsNotUsedFor90DaysIsResetAndSaysSo() throws {
        try store.allow(sample, .init(reason: .prompt))
        clock.advance(hours: 24 * 80)
        _ = try store.claim(sample)
        clock.advance(hours: 24 * 89)
        #expect(try standing() == "authorized prompt")
        clock.advance(hours: 24)
        #expect(try standing() == "notDetermined unused")
        #expect(
            try store.decide(for: sample).why
                == "you allowed it on 2026-03-01, but it was not used for 90 days, so it was reset")
        #expect(try store.claim(sample).state == .notDetermined)
    }

    @Test func aDenialIsNeverResetByItself() throws {
        try store.deny(sample, .init(reason: .prompt))
        clock.advance(hours: 24 * 1000)
        #expect(try standing() == "denied prompt")
    }

    @Test func aSecondNoWithinADayStands() throws {
        #expect(try store.note(.no, to: sample) == nil)
        #expect(try standing() == "notDetermined prompt")
        clock.advance(hours: 23)
        let denial = try #require(try store.note(.no, to: sample))
        #expect(denial.scope == .always)
        clock.advance(hours: 24 * 30)
        #expect(try standing() == "denied prompt")
        try store.revoke(denial.id)
        #expect(try standing() == "notDetermined neverAsked")
    }

    @Test func twoNosOfDifferentDaysOrDataflowsDoNotAddUp() throws {
        #expect(try store.note(.no, to: sample) == nil)
        let other = sample.with { $0.plugin.id = "org.example.other" }
        #expect(try store.note(.no, to: other) == nil)
        clock.advance(hours: 25)
        #expect(try store.note(.no, to: sample) == nil)
        #expect(try standing() == "notDetermined prompt")
    }

    @Test func aTimeOutIsNeitherYesNorNo() throws {
        for _ in 0..<3 {
            #expect(try store.note(.timeOut, to: sample) == nil)
            #expect(try standing() == "notDetermined timeOut")
        }
        #expect(try store.note(.no, to: sample) == nil)
    }
}
