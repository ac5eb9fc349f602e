import EscrowConsent
import EscrowDiagnostics
import FaultyDisk
import Foundation
import Testing

/// Every call by which a use is counted fails once, or is the last before the power goes: never is there one run more than
/// was allowed.
@Suite struct GrantUsesFaultTests {
    let scratch = Scratch()
    let sample = DataflowDescription.sample
    private static let allowed = 4

    /// Two runs, and a change of another decision between them, by which the uses go into the file of the decisions. Returns
    /// how many runs were let go on.
    private func act(_ root: String) -> Int {
        var runs = 0
        let store = GrantStore(directory: root)
        let other = sample.with { $0.app = "org.example.other" }
        do throws(Diagnostic) {
            if try store.claim(sample).runs { runs += 1 }
            try store.deny(other, .init(reason: .settings))
            if try store.claim(sample).runs { runs += 1 }
        } catch {}
        return runs
    }

    private func prepare(_ root: String) throws {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        let store = GrantStore(directory: root)
        try store.allow(sample, .init(.uses(Self.allowed), reason: .settings))
        #expect(try store.claim(sample).runs)
    }

    @Test(arguments: FaultyDisk.Fault.allCases)
    func noFaultGivesARunMore(fault: FaultyDisk.Fault) throws {
        var struck = 0
        var turn = 0
        while true {
            turn += 1
            let root = "\(scratch.path)/\(fault)-\(turn)"
            try prepare(root)
            let disk = try FaultyDisk(root)
            var runs = 0
            disk.run(fault, at: turn) { runs = act(root) }
            if disk.hasStruck { struck += 1 }
            #expect(runs == 2 || disk.hasStruck)
            let losses: [PowerLoss] =
                [.nothing, .everything, .bytes, .halfTheLastWrite] + (1...4).map(PowerLoss.some)
            for (index, loss) in losses.enumerated() {
                let after = "\(root)-\(index)"
                try disk.restore(loss, to: after)
                try judge(after, ran: 1 + runs, "\(fault) at call \(turn), \(loss)")
            }
            if fault != .powerCut { try judge(root, ran: 1 + runs, "\(fault) at call \(turn)") }
            if turn > disk.calls { break }
        }
        #expect(struck > 0, "no call failed")
    }

    private func judge(_ root: String, ran: Int, _ place: String) throws {
        let store = GrantStore(directory: root)
        let grant = try #require(try store.list().first { $0.app == sample.app }, "\(place)")
        #expect(grant.useCount >= ran, "\(place): \(grant.useCount) uses of \(ran) runs")
        var more = 0
        while more <= Self.allowed, try store.claim(sample).runs { more += 1 }
        #expect(ran + more <= Self.allowed, "\(place): \(more) runs more")
    }
}
