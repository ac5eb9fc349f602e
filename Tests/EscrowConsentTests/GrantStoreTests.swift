import EscrowConsent
import EscrowDiagnostics
import EscrowFiles
import Foundation
import Testing

@Suite struct GrantStoreTests {
    let scratch = Scratch()
    var store: GrantStore { GrantStore(directory: scratch.path) }
    var file: URL { URL(fileURLWithPath: scratch.path + "/grants.json") }

    @Test func grantsComeBackAsTheyWereGiven() throws {
        let egress = DataflowDescription.sending
        let given = [
            try store.allow(egress, .init(reason: .prompt)),
            try store.deny(.sample.with { $0.plugin.id = "org.example.other" }, .init(reason: .settings)),
        ]
        #expect(try store.list() == given)
        #expect(Set(given.map(\.id)).count == 2)
        #expect(given.allSatisfy { $0.id.hasPrefix("g-") && $0.id.count == 14 })
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test(arguments: [
        ("\"state\": \"authorized\"", "\"state\": \"allowed\""),
        ("\"escrow-grants\": 2", "\"escrow-grants\": 3"), ("\"escrow-grants\": 2", "\"escrow-grants\": 1"),
        ("\"scope\": \"always\"", "\"scope\": \"never\""),
        ("\"scope\": \"always\"", "\"scope\": \"forever\""),
        ("\"coarser\": []", "\"coarser\": [], \"until\": \"2030\""), ("\"coarser\": [],", ""),
        ("\"place\": \"device\"", "\"place\": \"this device\""), ("\"files\": []", "\"files\": 1"),
        ("}\n", ""),
        ("\"reads\"", "\"id\": \"g-0\", \"reads\""), ("\"dataflow\": {", "\"dataflow\": {\"id\": 1, "),
    ])
    func aFileThatIsNotUnderstoodAllowsNothing(part: String, changed: String) throws {
        try store.allow(.sample, .init(reason: .prompt))
        let text = try String(contentsOf: file, encoding: .utf8)
        try #require(text.contains(part))
        try text.replacingOccurrences(of: part, with: changed).write(
            to: file, atomically: true, encoding: .utf8)
        #expect(throws: Diagnostic(.grantsUnreadable, "")) { _ = try store.decide(for: .sample) }
        #expect(throws: Diagnostic(.grantsUnreadable, "")) {
            try store.allow(.sample, .init(reason: .prompt))
        }
    }

    @Test func programsWithoutAnIDGetNoLastingDecision() throws {
        for app in ["", "notes", "Org.example", "org..x", "org.example/x", "org.ex ample", "a.\u{212A}"] {
            let nameless = DataflowDescription.sample.with { $0.app = app }
            #expect(throws: Diagnostic(.appIDNeeded, "")) {
                try store.allow(nameless, .init(reason: .prompt))
            }
        }
        #expect(try store.list().isEmpty)
    }

    @Test func anUnknownGrantCannotBeRevoked() throws {
        #expect(throws: Diagnostic(.noSuchGrant, "")) { try store.revoke("g-000000000000") }
    }

    /// While a run looks for the last time and records its end, no command that takes a decision back can return.
    @Test func nothingIsChangedWhileARunHandsOver() throws {
        func isFree() throws -> Bool {
            guard let lock = try FileLock.tryToAcquire(scratch.path + "/grants.lock") else { return false }
            withExtendedLifetime(lock) {}
            return true
        }
        try store.allow(.sample, .init(reason: .prompt))
        let (inner, state) = try store.unchanged { () throws(Diagnostic) in
            // Runs share it, and decisions are looked at within it.
            let state = try store.unchanged { () throws(Diagnostic) in try store.decide(for: .sample).state }
            return (Result { try isFree() }, state)
        }
        #expect(try inner.get() == false && state == .authorized)
        #expect(try isFree())
    }

    /// What a crash left is settled before, not waited for.
    @Test func aDraftThatACrashLeftIsSettledFirst() throws {
        try store.allow(.sample, .init(reason: .prompt))
        try FileManager.default.copyItem(atPath: file.path, toPath: scratch.path + "/grants.next")
        #expect(try store.unchanged { () throws(Diagnostic) in try store.list().count } == 1)
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "/grants.next"))
    }

    @Test func usesAreCountedAcrossThreads() async throws {
        try store.allow(.sample, .init(reason: .prompt))
        let store = store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try store.claim(.sample) } }
            try await group.waitForAll()
        }
        #expect(try store.list().first?.useCount == 20)
    }
}
