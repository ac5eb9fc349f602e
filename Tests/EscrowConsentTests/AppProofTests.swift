import EscrowConsent
import Testing

/// What was granted to an app that was proved is not for a program that only says so.
@Suite struct AppProofTests {
    let scratch = Scratch()
    var store: GrantStore { GrantStore(directory: scratch.path) }

    private func sample(_ proof: AppProof) -> DataflowDescription {
        DataflowDescription.sample.with { $0.proof = proof }
    }

    @Test(arguments: AppProof.allCases, AppProof.allCases)
    func aGrantHoldsForWhoIsKnownAsWellOrBetter(granted: AppProof, asks: AppProof) throws {
        try store.allow(sample(granted), .init(reason: .prompt))
        let decision = try store.decide(for: sample(asks).dataflow)
        #expect((decision.state == .authorized) == (asks >= granted))
        if asks < granted { #expect(decision.why.contains(granted.words)) }
    }

    @Test func aDenialByCommandHoldsHoweverTheAppIsKnown() throws {
        try store.deny(sample(.claim), .init(reason: .settings))
        #expect(try store.decide(for: sample(.socket).dataflow).state == .denied)
    }

    @Test func theFileKeepsHowTheAppMustBeKnown() throws {
        try store.allow(sample(.socket), .init(reason: .prompt))
        // Another store reads the file, as another process would.
        #expect(try GrantStore(directory: scratch.path).list().first?.dataflow.proof == .socket)
        #expect(
            try GrantStore(directory: scratch.path).decide(for: sample(.claim).dataflow).state
                == .notDetermined)
    }

    @Test func theSheetSaysHowTheAppIsKnown() {
        #expect(sample(.socket).explain().contains("  known by     proved by its own socket"))
        #expect(sample(.claim).explain().contains("  known by     its own word: it claims to be this app"))
    }

    @Test func theAppsOwnWordsAreQuotedAsItsOwn() {
        let said = DataflowDescription.sample.with { $0.appWords = "So that you can\nmend \"them\"." }
        #expect(said.explain().contains("  the app says \"So that you can mend 'them'.\""))
    }
}
