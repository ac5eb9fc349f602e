import EscrowConsent
import EscrowJSON
import Testing

@testable import EscrowHome

/// Requests that nobody decides about are recorded a few times, counted always, and never more kinds than fit.
@Suite struct UndecidedTallyTests {
    private func request(_ app: String) -> DataflowDescription {
        DataflowDescription(
            Dataflow(
                app: app,
                plugin: .init(
                    id: "org.example.p", version: "1.0.0", manifestDigest: "sha256:00", signerKeyID: "k"),
                purpose: .init(code: "data-quality", text: "For a test."), reads: [],
                resultDigest: "sha256:00", target: "app:\(app)"),
            publisher: "P", returns: "nothing", capacity: "", limits: "")
    }

    @Test func theFirstTheTenthAndTheHundredthAreRecorded() {
        let tally = UndecidedTally()
        var recorded: [Int] = []
        for turn in 1...250 where tally.note(request("org.example.a")) != nil { recorded.append(turn) }
        #expect(recorded == [1, 10, 100])
        let rest = tally.rest()
        #expect(rest.count == 1)
        #expect(rest.first?["times"] == .integer(250))
        #expect(rest.first?["app"] == "org.example.a")
        #expect(tally.rest().isEmpty)
    }

    @Test func everNewRequestsAreCountedTogether() {
        let tally = UndecidedTally()
        let records = (1...10_000).compactMap { tally.note(request("org.example.a\($0)")) }
        // 64 kinds, and the 1st, 10th, 100th and 1000th of all others.
        #expect(records.count == 64 + 4)
        let rest = tally.rest()
        #expect(rest.count == 1)
        #expect(rest.first?["times"] == .integer(10_000 - 64))
        #expect(rest.first?["others"] == "requests of more than 64 kinds, by one app")
    }

    @Test func oneRequestNeedsNoNumber() {
        let tally = UndecidedTally()
        let fields = tally.note(request("org.example.a"))
        #expect(fields?["times"] == nil)
        #expect(fields?["answer"] == "nobody to ask")
        #expect(tally.rest().isEmpty)
    }
}
