import EscrowConsent
import EscrowHome
import EscrowHost
import EscrowJSON
import EscrowLedger
import Foundation
import TemporaryFolder
import Testing

/// The draft of a change that a crash left beside `grants.json`, judged by the real ledger.
@Suite struct GrantRecoveryTests {
    let scratch: TemporaryFolder
    let home: Home
    let draft: String
    let file: String

    init() throws {
        scratch = try TemporaryFolder("escrow-grants")
        home = try Home.create(at: scratch.path + "/home")
        draft = home.path + "/grants.next"
        file = home.path + "/grants.json"
    }

    private var sample: DataflowDescription {
        DataflowDescription(
            Dataflow(
                app: "org.example.notes",
                plugin: .init(
                    id: "org.example.phone-check", version: "1.2.0", manifestDigest: "sha256:aa",
                    signerKeyID: "SHA256:k1"),
                purpose: .init(code: "data-quality", text: "Find numbers that nobody can call."),
                reads: [TableUse(table: "Contacts", returned: ["id"])],
                resultDigest: "sha256:r1", target: "app:org.example.notes"),
            publisher: "Example Org", returns: "a number", capacity: "one bit", limits: "10 s")
    }

    /// The actions of the ledger's grant changes, oldest first.
    private func actions(_ host: EscrowHost.Host) throws -> [String] {
        try host.ledgerReader().entries().compactMap { entry in
            entry.kind == .grantChanged ? entry.fields["action"]?.string : nil
        }
    }

    @Test func aRecordedChangeIsCompletedAtTheNextOpening() throws {
        let host = try EscrowHost.Host(home: home)
        _ = try host.allow(sample, .init(reason: .settings))
        let before = try Data(contentsOf: URL(fileURLWithPath: file))
        _ = try host.deny(sample, .init(reason: .settings))
        // As if the process had ended after the record, before the file was put in its place.
        try FileManager.default.moveItem(atPath: file, toPath: draft)
        try before.write(to: URL(fileURLWithPath: file))
        let reopened = try EscrowHost.Host(home: try Home.open(at: home.path))
        #expect(try reopened.grants.list().map(\.state) == [.denied])
        #expect(try actions(reopened) == ["allowed", "denied", "repaired after a crash"])
    }

    @Test func aChangeThatTheLedgerHasNotIsDropped() throws {
        let host = try EscrowHost.Host(home: home)
        let grant = try host.deny(sample, .init(reason: .settings))
        // A draft of another change, by which the denial would be gone.
        let text = #"{"escrow-grants": 1, "change": "c-0000000000000000", "grants": []}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: draft))
        #expect(try host.grants.list() == [grant])
        #expect(!FileManager.default.fileExists(atPath: draft))
        #expect(try actions(host) == ["denied", "repaired after a crash"])
    }
}
