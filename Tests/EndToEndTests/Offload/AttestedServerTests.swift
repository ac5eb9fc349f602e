import Foundation
import SoftwareTPM
import TemporaryFolder
import Testing

/// A server that must prove what it runs, with a TPM beside it.
@Suite(.enabled(if: SoftwareTPM.isHere, "swtpm is not installed")) struct AttestedServerTests {
    @Test func dataGoesOnlyToTheSoftwareThatTheGrantNames() throws {
        let tpm = try SoftwareTPM()
        let server = try OffloadServer()
        let requirement = server.scratch.url.appending(path: "requirement.json").path
        try server.command(["attest", "--tpm", tpm.words, "--out", requirement])
        try server.start(more: ["--tpm", tpm.words])
        let escrow = try Escrow.offloading(to: try server.enrol())
        #expect(try escrow.offload().status == 0)

        // What was allowed for the key alone does not hold for the software.
        let required = try escrow.run("server", "require", "home", requirement)
        try #require(required.status == 0, "\(required.words)")
        #expect(try escrow.offload().status == 11)
        let plan = try escrow.run(
            "run", "phone-check", "--app", "org.example.test", "--server", "home", "--dry-run")
        #expect(plan.output.contains("it must first prove by its TPM"))
        try escrow.allowAtServer()
        let outcome = try escrow.offload()
        try #require(outcome.status == 0, "\(outcome.words) \(server.log)")
        let told = try escrow.run("server", "explain", "last", "--format", "json").json()
        #expect((told["attested"] as? String)?.count == 16)

        // It goes on by the policy that it proved, whatever its file says by now.
        let file = URL(filePath: server.folder + "/trust.signers")
        let trusted = try Data(contentsOf: file)
        try Data().write(to: file)
        #expect(try escrow.offload().status == 0)
        try trusted.write(to: file)

        // Another policy is another server, whatever its key.
        server.stop()
        try server.command(["trust", "add", "org.elsewhere.*", try Escrow.sampleKey()])
        try tpm.reset()
        try server.start(more: ["--tpm", tpm.words])
        let refused = try escrow.offload()
        #expect(refused.status == 19)
        #expect(
            refused.words.contains("[E1227]") && refused.words.contains("wrongPolicy"), "\(refused.words)")
        #expect(refused.output.isEmpty)
        #expect(!server.log.contains("clean"))
        let ledger = try escrow.run("ledger", "list", "--format", "json").output
        #expect(ledger.contains("E1227"))

        // And one that shows nothing is given nothing.
        server.stop()
        try server.start()
        let mute = try escrow.offload()
        #expect(mute.words.contains("[E1227]") && mute.words.contains("missing"), "\(mute.words)")

        // The new one may be required; then it is asked about again.
        server.stop()
        try server.command(["attest", "--tpm", tpm.words, "--out", requirement])
        try server.start(more: ["--tpm", tpm.words])
        try #require(try escrow.run("server", "require", "home", requirement).status == 0)
        #expect(try escrow.offload().status == 11)
        try escrow.allowAtServer()
        #expect(try escrow.offload().status == 0)
    }
}
