import EscrowConsent
import EscrowJSON
import EscrowManifest
import EscrowMinimisation
import EscrowTrust
import Foundation
import Synchronization
import Testing

@testable import EscrowHome
@testable import EscrowHost
@testable import EscrowSandbox

/// What is kept from one run to the next is what would be made anew.
@Suite struct RecentTests {
    @Test func theLastFewAreKept() {
        let recent = Recent<Int, String>(most: 3)
        let made = Mutex<[Int]>([])
        func ask(_ input: Int) {
            let output = recent.output(for: input) {
                made.withLock { $0.append(input) }
                return "\(input)"
            }
            #expect(output == "\(input)")
        }
        for input in [1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 1] { ask(input) }
        #expect(made.withLock { $0 } == [1, 2, 3, 4, 1])
    }

    private struct Input {
        var app = "org.example.notes"
        var digest = "d1"
        var signer = "SHA256:k1"
        var reads = [TableUse(table: "ContactPhoneNumbers", returned: ["phoneNumber"])]
        var parameters: [(name: String, value: JSONValue)] = []
        var configuration = HostConfiguration()
        var imposed = Minimisation.none
    }

    /// Each input differs from the one before in one member. None is described by what was kept of another.
    @Test func whateverIsOtherwiseIsDescribedAnew() throws {
        let sample = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Manifests/phone-check.json")
        let manifest = try Manifest.parseAuthored(Array(Data(contentsOf: sample)), file: "phone-check.json")
        let caps = try LimitCaps(JSONParser.parse(#"{"memoryMiB": 16}"#), file: "config.json")
        let shorter = try Minimisation(parsing: ["truncate(ContactPhoneNumbers.phoneNumber, 6)"])
        let changes: [(inout Input) -> Void] = [
            { _ in }, { $0.app = "org.example.other" }, { $0.digest = "d2" }, { $0.signer = "SHA256:k2" },
            { $0.reads[0].returned = [] }, { $0.reads[0].used = ["id"] }, { $0.parameters = [("a", "b")] },
            { $0.parameters = [("a", 1)] }, { $0.parameters = [("a", 0.0)] },
            { $0.parameters = [("a", .real(-0.0))] }, { $0.configuration.loweredWalls = [.seccomp] },
            { $0.configuration.caps = caps }, { $0.imposed = shorter },
        ]
        var seen: Set<String> = []
        for _ in 1...2 {
            for change in changes {
                var input = Input()
                change(&input)
                let plugin = PluginFacts(manifest: manifest, digest: input.digest, signerKeyID: input.signer)
                let kept = DataflowDescription.of(
                    app: input.app, plugin: plugin, reads: input.reads, parameters: input.parameters,
                    configuration: input.configuration, imposed: input.imposed)
                let anew = DataflowDescription(
                    app: input.app, plugin: plugin, reads: input.reads, parameters: input.parameters,
                    configuration: input.configuration, imposed: input.imposed)
                #expect(kept == anew)
                let words = Array(anew.explain().map { $0 + "\n" }.joined().utf8)
                #expect(kept.wordsDigest == "sha256:\(Digest(of: words))")
                seen.insert("\(kept)")
            }
        }
        #expect(seen.count == changes.count, "a change that changes nothing tries nothing")
    }

    /// An app writes one text in two ways that look the same: the ledger has the digest of the one that was shown.
    @Test func wordsThatOnlyLookTheSameHaveDigestsOfTheirOwn() {
        var words = DataflowDescription(
            Dataflow(
                app: "org.example.notes",
                plugin: .init(id: "a.b", version: "1.0.0", manifestDigest: "sha256:00", signerKeyID: "k"),
                purpose: .init(code: "c", text: "t"), reads: [], resultDigest: "r", target: "app:a"),
            publisher: "", returns: "", capacity: "", limits: "")
        words.appWords = "caf\u{E9}"
        let composed = words.wordsDigest
        words.appWords = "cafe\u{301}"
        let apart = words.wordsDigest
        #expect(composed != apart)
        words.appWords = "caf\u{E9}"
        #expect(words.wordsDigest == composed)
    }

    /// Two that differ in what no record holds have one digest, and all else tells them apart.
    @Test func digestsFollowTheDataflow() throws {
        var flow = Dataflow(
            app: "org.example.notes",
            plugin: .init(id: "a.b", version: "1.0.0", manifestDigest: "sha256:00", signerKeyID: "k"),
            purpose: .init(code: "c", text: "t"), reads: [], resultDigest: "r", target: "app:a")
        let first = flow.digest
        flow.arguments = ["a": "b"]
        #expect(flow.digest == first)
        flow.minimumRows = 5
        let second = flow.digest
        #expect(second != first)
        flow.minimumRows = 0
        #expect(flow.digest == first)
    }

    private final class Held: Sendable {}

    @Test func aRunThatEndedHoldsNothing() {
        let cancellation = Runner.Cancellation()
        weak var seen: Held?
        do {
            let held = Held()
            seen = held
            cancellation.whenCancelled { withExtendedLifetime(held) {} }
        }
        #expect(seen != nil)
        cancellation.release()
        #expect(seen == nil)
        cancellation.cancel()
        #expect(cancellation.isCancelled)
    }
}
