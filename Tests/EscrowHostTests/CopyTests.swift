import EscrowConsent
import EscrowDiagnostics
import EscrowLedger
import TemporaryFolder
import Testing

@testable import EscrowHome
@testable import EscrowHost

/// A plugin that hands rows on as they are without saying so, which a host kept that did not look yet: nothing can be decided
/// about it, and nothing of it runs.
@Suite struct CopyTests {
    let scratch: TemporaryFolder
    let home: Home

    init() throws {
        scratch = try TemporaryFolder("escrow-copy")
        home = try Home.create(at: scratch.path + "/home")
    }

    @Test func nobodyDecidesAboutIt() throws {
        try KeptPlugin.keep(in: home, purpose: "search")
        let host = try EscrowHost.Host(home: home)
        #expect(throws: Diagnostic(.rowsHandedOn, "")) {
            try host.dataflow(
                app: "org.example.notes", plugin: "data-copy", sql: nil, reads: [], uses: [])
        }
        #expect(throws: Diagnostic(.rowsHandedOn, "")) {
            try host.dataflow(
                app: "org.example.notes", plugin: "data-copy", sql: nil, reads: ["Contacts.givenName"],
                uses: [])
        }
        let runner = Runner(host: host)
        let request = RunRequest(app: "org.example.notes", plugin: "data-copy")
        #expect(throws: Diagnostic(.rowsHandedOn, "")) { try runner.plan(request) }
        #expect(throws: Diagnostic(.rowsHandedOn, "")) { try runner.run(request) }
        #expect(try host.ledgerReader().entries().allSatisfy { $0.kind != .runIntent })
    }

    @Test func oneThatSaysSoCanBeDecidedAbout() throws {
        try KeptPlugin.keep(in: home)
        let host = try EscrowHost.Host(home: home)
        let dataflow = try host.dataflow(
            app: "org.example.notes", plugin: "data-copy", sql: nil, reads: [], uses: [])
        #expect(dataflow.purpose.code == "data-copy")
    }
}
