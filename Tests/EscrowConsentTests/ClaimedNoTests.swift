import EscrowConsent
import Foundation
import Testing

/// Any program can say that it is an app: a no that it was told keeps nothing from the app itself.
@Suite struct ClaimedNoTests {
    let scratch = Scratch()
    var store: GrantStore { GrantStore(directory: scratch.path) }

    private func sample(_ proof: AppProof) -> DataflowDescription {
        DataflowDescription.sample.with { $0.proof = proof }
    }

    private func state(_ proof: AppProof) throws -> ConsentState {
        try store.decide(for: sample(proof).dataflow).state
    }

    @Test(arguments: AppProof.allCases.filter { $0 != .claim })
    func twoTimesNoToAClaimLeaveTheAppThatIsProvedUndecided(proof: AppProof) throws {
        #expect(try store.note(.no, to: sample(.claim)) == nil)
        #expect(try store.decide(for: sample(proof).dataflow).reason == .neverAsked)
        #expect(try store.note(.no, to: sample(.claim)) != nil)
        #expect(try state(.claim) == .denied)
        #expect(try state(proof) == .notDetermined)
        // The app's own no is its first.
        #expect(try store.note(.no, to: sample(proof)) == nil)
        #expect(try store.note(.no, to: sample(proof)) != nil)
        #expect(try state(proof) == .denied)
    }

    @Test func aNoToTheAppThatIsProvedIsTheFirstToAClaim() throws {
        #expect(try store.note(.no, to: sample(.token)) == nil)
        #expect(try store.note(.no, to: sample(.claim)) != nil)
        #expect(try state(.claim) == .denied)
        #expect(try state(.token) == .notDetermined)
        // It still counts for the app itself.
        #expect(try store.note(.no, to: sample(.token)) != nil)
    }

    @Test func neverToAClaimLeavesWhatTheAppThatIsProvedWasAllowed() throws {
        try store.allow(sample(.token), .init(reason: .prompt))
        try store.deny(sample(.claim), .init(reason: .prompt))
        #expect(try state(.claim) == .denied)
        #expect(try state(.token) == .authorized)
        #expect(try store.claim(sample(.token).dataflow).state == .authorized)
        // What is allowed to the app itself takes back no denial of those who say they are it.
        try store.allow(sample(.token), .init(reason: .prompt))
        #expect(try state(.claim) == .denied)
    }

    @Test func aDenialAsIfEmptyOfAClaimLooksEmptyToClaimsAlone() throws {
        var terms = GrantTerms(reason: .prompt)
        terms.looksEmpty = true
        try store.deny(sample(.claim), terms)
        #expect(try state(.claim) == .denied)
        #expect(try state(.socket) == .notDetermined)
    }

    @Test func aDenialOfTheAppThatIsProvedHoldsForAllWhoSayThatTheyAreIt() throws {
        try store.deny(sample(.token), .init(reason: .prompt))
        for proof in AppProof.allCases { #expect(try state(proof) == .denied) }
        // A no to one of these takes its place for nobody else.
        try store.deny(sample(.claim), .init(reason: .prompt))
        for proof in AppProof.allCases { #expect(try state(proof) == .denied) }
    }

    @Test func aDenialByCommandHoldsHoweverTheAppIsKnown() throws {
        try store.deny(sample(.claim), .init(reason: .settings))
        for proof in AppProof.allCases { #expect(try state(proof) == .denied) }
    }

    /// As it was written before: without how the app was known, as a claim's is still.
    @Test func aQuestionIsKeptWithHowTheAppWasKnownAndAnEarlierOneIsAClaims() throws {
        try store.note(.no, to: sample(.scope))
        let path = scratch.path + "/grants.json"
        let text = try text(at: path)
        #expect(text.contains("\"known\": \"scope\"") || text.contains("\"known\":\"scope\""))
        #expect(try store.decide(for: sample(.scope).dataflow).reason == .prompt)
        try store.reset(app: nil, plugin: nil)
        try store.note(.no, to: sample(.claim))
        #expect(try !self.text(at: path).contains("known"))
        #expect(try store.decide(for: sample(.claim).dataflow).reason == .prompt)
    }

    private func text(at path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
}
