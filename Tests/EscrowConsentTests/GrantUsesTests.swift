import EscrowConsent
import EscrowDiagnostics
import Foundation
import Testing

/// The uses of decisions, a line each beside the file of the decisions.
@Suite struct GrantUsesTests {
    let scratch = Scratch()
    var store: GrantStore { GrantStore(directory: scratch.path) }
    let sample = DataflowDescription.sample
    var grants: URL { URL(fileURLWithPath: scratch.path + "/grants.json") }
    var uses: URL { URL(fileURLWithPath: scratch.path + "/grants.uses") }

    func text() throws -> String { try String(contentsOf: uses, encoding: .utf8) }

    func write(_ text: String) throws { try Data(text.utf8).write(to: uses) }

    @Test func aUseIsALineAndLeavesTheDecisionsAsTheyAre() throws {
        let grant = try store.allow(sample, .init(reason: .settings))
        let before = try Data(contentsOf: grants)
        for _ in 0..<3 { _ = try store.claim(sample) }
        #expect(try Data(contentsOf: grants) == before)
        let lines = try text().split(separator: "\n")
        #expect(lines.count == 4 && lines[0].hasPrefix("escrow-grant-uses 1 u-"))
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(grant.id + " ") && $0.hasSuffix("Z") })
        let used = try store.grant(grant.id)
        #expect(used.useCount == 3 && used.lastUsedAt == String(lines[3].dropFirst(15)))
    }

    @Test func usesGoIntoTheDecisionsWithTheNextChangeAndCountOnce() throws {
        let grant = try store.allow(sample, .init(.uses(4), reason: .settings))
        let store = store
        for _ in 0..<2 { _ = try store.claim(sample) }
        try store.deny(sample.with { $0.app = "org.example.other" }, .init(reason: .settings))
        #expect(try String(contentsOf: grants, encoding: .utf8).contains(#""useCount": 2"#))
        // The lines of before are there still, and count no more: for this store, and for one that never saw them.
        #expect(try text().contains(grant.id))
        #expect(try store.grant(grant.id).useCount == 2)
        #expect(try self.store.grant(grant.id).useCount == 2)
        for _ in 0..<2 { #expect(try store.claim(sample).runs) }
        #expect(try !store.claim(sample).runs)
        #expect(try self.store.decide(for: sample).reason == .expired)
    }

    @Test func aStoreSeesTheUsesOfAnother() throws {
        let (one, two) = (store, store)
        try one.allow(sample, .init(.uses(3), reason: .settings))
        for store in [one, two, one] { #expect(try store.claim(sample).runs) }
        for store in [one, two] { #expect(try !store.claim(sample).runs) }
    }

    /// Every place at which a write can have been cut off: by a full disk, or by the power.
    @Test func aLineThatWasCutOffNeverCounted() throws {
        try store.allow(sample, .init(.uses(3), reason: .settings))
        _ = try store.claim(sample)
        let whole = try text()
        let line = try #require(whole.split(separator: "\n").last)
        for length in 0..<line.utf8.count {
            for rest in [String(line.prefix(length)), String(repeating: "\0", count: length)] {
                try write(whole + rest)
                let store = store
                #expect(try store.list().first?.useCount == 1)
                #expect(try store.claim(sample).runs && store.claim(sample).runs)
                #expect(try !store.claim(sample).runs)
                #expect(try text().split(separator: "\n").count == 4)
            }
        }
    }

    @Test(arguments: [
        "", "escrow-grant-uses 2 u-0123456789abcdef\n", "escrow-grant-uses 1 u-0\n", "\n",
    ])
    func aFileOfAnotherKindStopsEverything(text: String) throws {
        try store.allow(sample, .init(reason: .settings))
        _ = try store.claim(sample)
        try write(text)
        #expect(throws: Diagnostic(.grantUsesUnreadable, "")) { _ = try store.decide(for: sample) }
        #expect(throws: Diagnostic(.grantUsesUnreadable, "")) { _ = try store.claim(sample) }
    }

    @Test(arguments: ["x\n", "g-0123456789ab\n", "g-0123456789ab 2026-02-31T00:00:00Z\n", "\n"])
    func aLineThatIsNoUseStopsEverything(line: String) throws {
        try store.allow(sample, .init(reason: .settings))
        _ = try store.claim(sample)
        try write(try text() + line)
        #expect {
            _ = try store.decide(for: sample)
        } throws: { error in
            let diagnostic = error as? Diagnostic
            return diagnostic?.code.rawValue == "E0724" && diagnostic?.place?.line == 3
        }
    }

    @Test func manyUsesGoIntoTheDecisions() throws {
        let grant = try store.allow(sample, .init(reason: .settings))
        _ = try store.claim(sample)
        let line = try #require(try text().split(separator: "\n").last)
        try write(try text() + String(repeating: line + "\n", count: 4095))
        let store = store
        _ = try store.claim(sample)
        #expect(try String(contentsOf: grants, encoding: .utf8).contains(#""useCount": 4097"#))
        _ = try store.claim(sample)
        #expect(try store.grant(grant.id).useCount == 4098)
        #expect(try text().split(separator: "\n").count == 2)
    }

    @Test func aNarrowerVersionThatIsUsedIsTheOneThatIsRemembered() throws {
        let grant = try store.allow(sample, .init(reason: .settings))
        _ = try store.claim(sample)
        let newer = sample.with {
            $0.plugin.version = "1.3.0"
            $0.plugin.manifestDigest = "sha256:bb"
        }
        _ = try store.claim(newer)
        let used = try store.grant(grant.id)
        #expect(
            used.plugin.version == "1.3.0" && used.plugin.manifestDigest == "sha256:bb" && used.useCount == 2)
    }

    @Test func anExportedDecisionHasItsUsesAndNameNoFile() throws {
        try store.allow(sample, .init(.uses(3), reason: .settings))
        _ = try store.claim(sample)
        let text = String(decoding: try store.export(), as: UTF8.self)
        #expect(text.contains(#""useCount": 1"#) && !text.contains("u-"))
    }

    /// `covers` finds without words what `differences` names: whatever the tables, in whatever order and however often.
    @Test func whatIsCoveredIsWhatHasNoDifference() throws {
        var generator = SystemRandomNumberGenerator()
        func some(_ names: [String]) -> [String] { names.filter { _ in Bool.random(using: &generator) } }
        func uses() -> [TableUse] {
            (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                TableUse(
                    table: Bool.random(using: &generator) ? "A" : "B", returned: some(["x", "y"]),
                    used: some(["x", "y", "z"]))
            }
        }
        var covered = 0
        for _ in 0..<500 {
            let (asked, granted) = (uses(), uses())
            let folder = Scratch()
            let store = GrantStore(directory: folder.path)
            let allowed = sample.with { $0.reads = granted }
            let grant = store.once(for: allowed, terms: GrantTerms(reason: .prompt))
            let decision = try store.decide(for: sample.with { $0.reads = asked }, claimed: grant)
            let isCovered = decision.state == .authorized
            covered += isCovered ? 1 : 0
            #expect(isCovered == !decision.why.hasPrefix("it is more than you allowed"))
            #expect(isCovered || decision.why.contains("it also "))
        }
        #expect(covered > 20 && covered < 480)
    }
}
