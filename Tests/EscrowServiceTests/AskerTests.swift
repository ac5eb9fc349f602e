import EscrowConsent
import Testing

@testable import EscrowService

/// Whom a no makes silent, and whose notification is shown.
@Suite struct AskerTests {
    private let desk = QuestionDesk(home: "/nowhere")
    private let real = Asker("org.real.app", .token)
    private let claim = Asker("org.real.app", .claim)

    @Test func aNoToAClaimDoesNotSilenceTheAppThatIsProved() {
        for _ in 0..<6 { desk.refused(claim) }
        #expect(desk.isQuiet(claim) && !desk.isQuiet(real))
        #expect(!desk.isQuiet(Asker("org.other.app", .claim)))
    }

    @Test func aNoToTheAppThatIsProvedSilencesAllWhoSayThatTheyAreIt() {
        desk.refused(real)
        #expect(desk.isQuiet(real) && desk.isQuiet(claim))
        #expect(desk.isQuiet(Asker("org.real.app", .socket)))
        // A yes to one of these ends the silence of nobody else.
        desk.allowed(claim)
        #expect(desk.isQuiet(real) && desk.isQuiet(claim))
        desk.allowed(real)
        #expect(!desk.isQuiet(real) && !desk.isQuiet(claim))
    }

    @Test func sixtyClaimsHaveOneNotificationBetweenThem() {
        let turns = Turns()
        let shown = (0..<60).count { turns.take(Asker("org.flood\($0).app", .claim), at: 1) }
        #expect(shown == 1)
        // Those that are proved have turns of their own.
        #expect(turns.take(real, at: 1) && !turns.take(Asker("org.real.app", .scope), at: 1))
        #expect(!turns.take(claim, at: 1))
    }

    @Test func theNextTurnComesHalfAMinuteAfterTheLastEnded() {
        let turns = Turns()
        #expect(turns.take(claim, at: 0))
        turns.end(Asker("org.flood.app", .claim), at: 100)
        #expect(!turns.take(claim, at: 99 + Turns.pause))
        #expect(turns.take(claim, at: 100 + Turns.pause))
        // What was not shown costs no turn.
        turns.giveBack(claim)
        #expect(turns.take(claim, at: 100 + Turns.pause))
    }
}
