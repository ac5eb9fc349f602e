import EscrowConsent
import EscrowDiagnostics
import TemporaryFolder
import Testing

@testable import EscrowHost

/// One program can say that it is any number of apps: it takes no room from those that are proved.
@Suite struct ClaimRoomTests {
    let scratch: TemporaryFolder
    private let queue: WaitingQueue

    init() throws {
        scratch = try TemporaryFolder("escrow-claims")
        queue = WaitingQueue(path: scratch.path + "/pending.json")
    }

    private func put(_ app: String, _ proof: AppProof, _ sql: String = "SELECT 0") throws(Diagnostic) {
        var request = RunRequest(app: app, sql: sql, plugin: "phone-check")
        request.proof = proof
        _ = try queue.put(request, rules: [], missing: [], once: nil, isHeld: false)
    }

    @Test func claimsTogetherHaveHalfOfThePlaces() throws {
        for index in 0..<WaitingQueue.maximumOfClaims { try put("org.a\(index).evil", .claim) }
        #expect(throws: Diagnostic(.tooManyWait, "")) { try put("org.b.evil", .claim) }
        let rest = WaitingQueue.maximum - WaitingQueue.maximumOfClaims
        #expect(rest >= WaitingQueue.maximumOfClaims)
        for index in 0..<rest { try put("org.honest\(index).app", .token) }
        #expect(throws: Diagnostic(.tooManyWait, "")) { try put("org.more.app", .token) }
        // What waits already is no further one.
        try put("org.a0.evil", .claim)
        #expect(try queue.list().count == WaitingQueue.maximum)
    }

    @Test func aClaimTakesNoneOfThePlacesOfTheAppThatIsProved() throws {
        for index in 0..<WaitingQueue.maximumOfApp { try put("org.real.app", .claim, "SELECT \(index)") }
        #expect(throws: Diagnostic(.appHasTooManyWaiting, "")) {
            try put("org.real.app", .claim, "SELECT 1000")
        }
        for index in 0..<WaitingQueue.maximumOfApp {
            // However it is proved it is the same app.
            try put("org.real.app", index < 8 ? .token : .scope, "SELECT \(index)")
        }
        #expect(throws: Diagnostic(.appHasTooManyWaiting, "")) {
            try put("org.real.app", .socket, "SELECT 1000")
        }
    }

    @Test func eachAppsFirstQuestionComesBeforeAnySecondAndProvedOnesBeforeClaims() {
        let askers: [Asker] = [
            .init("org.a.app", .claim), .init("org.a.app", .claim), .init("org.b.app", .claim),
            .init("org.c.app", .token), .init("org.c.app", .socket), .init("org.a.app", .scope),
            .init("org.a.app", .claim),
        ]
        #expect(UndecidedRequest.turns(askers) == [3, 5, 0, 2, 4, 1, 6])
        #expect(UndecidedRequest.turns([]).isEmpty)
    }

    @Test func anAppWithSixteenVariantsLeavesPlacesForOthers() {
        let askers =
            (0..<16).map { _ in Asker("org.greedy.app", .token) } + [Asker("org.late.app", .claim)]
        #expect(UndecidedRequest.turns(askers).prefix(2) == [0, 16])
    }
}
