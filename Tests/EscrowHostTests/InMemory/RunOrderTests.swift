import EscrowDiagnostics
import EscrowEgress
import EscrowJSON
import EscrowLedger
import EscrowManifest
import Synchronization
import Testing

@testable import EscrowConsent
@testable import EscrowHost

/// What always holds of a run, whatever fails, and whenever: at each step of it something fails, the run is cancelled, or
/// the individual changes a decision.
@Suite struct RunOrderTests {
    /// What stands before the run, and who answers.
    struct Scenario: CustomTestStringConvertible, Sendable {
        var name: String
        var standing: [GrantTerms] = []
        var denied = false
        var answer: ConsentReply?
        var shown: ConsentReply = .none
        var plugin = InMemoryPlugin.Conduct.honest
        var isPreview = false
        /// Whether a run without faults returns a result.
        var returns = false
        var testDescription: String { name }
    }

    static let scenarios: [Scenario] =
        [
            Scenario(name: "allowed before", standing: [.init(reason: .settings)], returns: true),
            Scenario(name: "denied before", standing: [.init(reason: .settings)], denied: true),
            Scenario(name: "denied as if empty", standing: [emptyDenial], denied: true, returns: true),
            Scenario(name: "less allowed before", standing: [limited], returns: true),
            Scenario(name: "nobody to ask"),
            Scenario(name: "answered once", answer: .answer(.allow(.once)), returns: true),
            Scenario(name: "answered always", answer: .answer(.allow(.always)), returns: true),
            Scenario(name: "answered less", answer: .answer(.limit(limited.limit!, .once)), returns: true),
            Scenario(name: "answered no", answer: .answer(.no)),
            Scenario(name: "answered never", answer: .answer(.deny(.always))),
            Scenario(name: "no answer in time", answer: .timeOut),
            Scenario(
                name: "previewed and handed over", answer: .answer(.preview), shown: .answer(.allow(.once)),
                returns: true),
            Scenario(name: "previewed and kept", answer: .answer(.preview), shown: .answer(.no)),
            Scenario(
                name: "preview asked for", answer: .answer(.allow(.once)), shown: .answer(.allow(.once)),
                isPreview: true, returns: true),
        ]
        + InMemoryPlugin.Conduct.allCases.filter { $0 != .honest }.map {
            Scenario(name: "plugin \($0)", standing: [.init(reason: .settings)], plugin: $0)
        }

    private static var emptyDenial: GrantTerms {
        var terms = GrantTerms(reason: .settings)
        terms.looksEmpty = true
        return terms
    }

    private static var limited: GrantTerms {
        var terms = GrantTerms(reason: .settings)
        terms.limit = GrantLimit(rows: ["People": .init(first: 1)])
        return terms
    }

    /// What may happen at a step.
    enum Mishap: CaseIterable, Sendable { case none, fault, cancelled, takenBack, deniedMeanwhile }

    @Test(arguments: scenarios) func whateverFailsTheLedgerTellsIt(scenario: Scenario) throws {
        let whole = try play(scenario, .none, at: 0)
        #expect((whole.result != nil) == scenario.returns, "\(whole.error.map { "\($0)" } ?? "")")
        for mishap in Mishap.allCases where mishap != .none {
            for step in 1...whole.host.steps {
                let run = try play(scenario, mishap, at: step)
                check(run, scenario, "\(mishap) at step \(step): \(whole.host.name(of: step))", mishap)
            }
        }
    }

    struct Played {
        let host: InMemoryHost
        var result: RunResult?
        var error: Diagnostic?
        /// How many events there were when a decision was taken back.
        var takenBackAt: Int?
    }

    private func play(_ scenario: Scenario, _ mishap: Mishap, at step: Int) throws -> Played {
        let cancellation = Runner.Cancellation()
        let came = Mutex<Int?>(nil)
        let host = InMemoryHost(plugin: scenario.plugin) { (number, host) throws(Diagnostic) in
            guard number == step else { return }
            if [.takenBack, .deniedMeanwhile].contains(mishap), host.state.withLock({ !$0.grants.isEmpty }) {
                came.withLock { $0 = host.events.count }
            }
            switch mishap {
            case .none: break
            case .fault: throw Diagnostic(.fileOperation, "the disk failed")
            case .cancelled: cancellation.cancel()
            case .takenBack: host.state.withLock { $0.grants = [] }
            case .deniedMeanwhile:
                host.state.withLock { state in
                    for index in state.grants.indices { state.grants[index] = state.grants[index].denied }
                }
            }
        }
        try stand(scenario, in: host)
        var runner = Runner(
            on: host, decider: Answers(scenario: scenario),
            cancellation: cancellation)
        runner.clock = {
            // The moments of the hand-over count from before the record of the intent.
            #expect(!host.events.contains { if case .record(.runIntent, _) = $0 { true } else { false } })
            return StillClock()
        }
        var played = Played(host: host)
        var request = RunRequest(app: "org.example.notes", plugin: "count")
        request.isPreview = scenario.isPreview
        do throws(Diagnostic) { played.result = try runner.run(request) } catch { played.error = error }
        played.takenBackAt = came.withLock { $0 }
        return played
    }

    /// Puts the grants that stand before: about the dataflow as the run will describe it.
    private func stand(_ scenario: Scenario, in host: InMemoryHost) throws {
        guard !scenario.standing.isEmpty else { return }
        let scout = InMemoryHost()
        let runner = Runner(on: scout)
        let description = try runner.plan(RunRequest(app: "org.example.notes", plugin: "count")).description
        let grants = InMemoryGrants(host: scout)
        for terms in scenario.standing {
            _ = scenario.denied ? try grants.deny(description, terms) : try grants.allow(description, terms)
        }
        let standing = scout.state.withLock { $0.grants }
        host.state.withLock { $0.grants = standing }
    }

    private func check(_ run: Played, _ scenario: Scenario, _ what: String, _ mishap: Mishap) {
        let events = run.host.events
        func place(_ matches: (InMemoryHost.Event) -> Bool) -> [Int] {
            events.indices.filter { matches(events[$0]) }
        }
        let intents = place { if case .record(.runIntent, _) = $0 { true } else { false } }
        let ends = place { if case .record(.runEnd, _) = $0 { true } else { false } }
        let reads = place { $0 == .rowsRead }
        let launches = place { $0 == .launched }
        let endings = place { $0 == .ended }
        let returned = place {
            if case .record(.runEnd, let fields) = $0 {
                fields["outcome"]?.string == "returned"
            } else {
                false
            }
        }
        #expect((run.result == nil) != (run.error == nil), "\(what)")
        #expect(intents.count <= 1 && ends.count <= intents.count, "\(what): one intent, one end")
        // No data before the record of the intent.
        if let read = reads.first { #expect(intents.first.map { $0 < read } == true, "\(what)") }
        // No result without the record that it leaves; and no record of one that did not, unless it was recorded last.
        if run.result != nil { #expect(returned.count == 1, "\(what)") }
        if run.error != nil, mishap != .fault { #expect(returned.isEmpty, "\(what)") }
        // What began has an end in the ledger, unless the ledger itself failed: the next host then calls it interrupted.
        let isLedgers = what.contains("append run-end") || what.contains("count the record")
        if !isLedgers { #expect(ends.count == intents.count, "\(what): \(events.suffix(4))") }
        // A process that was started was waited for. The place is left once, and behind all that the run records.
        #expect(endings.count == launches.count, "\(what)")
        let left = place { $0 == .placeLeft }
        if !intents.isEmpty { #expect(left == [events.count - 1], "\(what): \(events.suffix(4))") }
        // A decision that was taken back before the last look lets nothing out.
        if let came = run.takenBackAt, let hold = place({ $0 == .step("hold decisions") }).last,
            came <= hold + 1
        {
            #expect(run.result == nil, "\(what): a result left after the decision was taken back")
        }
        // Nobody but the plugin sees a value.
        let canary = "\(InMemoryTable.canary)".dropLast()
        if let error = run.error { #expect(!"\(error)".contains(canary), "\(what)") }
        for case .record(_, let fields) in events {
            #expect(!String(decoding: JSONWriter.line(fields), as: UTF8.self).contains(canary), "\(what)")
        }
    }

    private struct Answers: Decider {
        let scenario: Scenario
        var canAsk: Bool { scenario.answer != nil }
        func decide(_ description: DataflowDescription, _ decision: Decision) -> ConsentReply {
            scenario.answer ?? .none
        }
        func review(_ description: DataflowDescription, _ result: ResultPreview) -> ConsentReply {
            scenario.shown
        }
    }

    private final class StillClock: RunClock {
        var seconds: Double { 5_000 }
        func wait(until seconds: Double) {}
        func cancel() {}
    }
}

extension InMemoryHost {
    /// What a step was about.
    func name(of step: Int) -> String {
        let names = events.compactMap { if case .step(let name) = $0 { name } else { nil } }
        return step <= names.count ? names[step - 1] : ""
    }
}

extension Grant {
    /// The same dataflow, denied.
    fileprivate var denied: Grant {
        var grant = GrantTerms(reason: .settings).grant(
            false, for: dataflow, at: ConsentTime(milliseconds: 1_800_000_000_001))
        grant.id = id
        return grant
    }
}
