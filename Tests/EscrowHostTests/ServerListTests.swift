import EscrowAttestation
import EscrowDiagnostics
import EscrowOffloadWire
import EscrowServers
import TemporaryFolder
import Testing

/// The individual's servers, as files of the home.
@Suite struct ServerListTests {
    private static let requirement = Requirement(
        key: [UInt8](repeating: 1, count: 64), registers: [7: [UInt8](repeating: 2, count: 32)], pcr: 14,
        server: [UInt8](repeating: 3, count: 32), policy: [UInt8](repeating: 4, count: 32),
        expires: 1_900_000_000)

    /// What `escrow-server enrol` writes: it knows nothing of what the individual set.
    private static func enrolled(certificate: String) -> EscrowServer {
        var server = ConfidentialRunTests.home
        server.target.certificate = certificate
        return server
    }

    @Test func aRenewedCertificateLeavesWhatTheIndividualSet() throws {
        let folder = try TemporaryFolder("servers")
        let list = ServerList(directory: folder.path)
        _ = try list.add(Self.enrolled(certificate: "one"), plugins: ["org.example.*"])
        _ = try list.require(Self.requirement, of: "home")
        _ = try list.add(Self.enrolled(certificate: "two"))
        let kept = try list.find("home")
        #expect(kept.target.certificate == "two")
        #expect(kept.plugins == ["org.example.*"])
        #expect(kept.attestation == Self.requirement)
        #expect(try list.add(Self.enrolled(certificate: "two"), plugins: ["*"]).plugins == ["*"])
        // Only by its own command.
        #expect(try list.require(nil, of: "home").attestation == nil)
    }

    @Test func aServerThatWasRemovedComesBackWithoutIt() throws {
        let folder = try TemporaryFolder("servers")
        let list = ServerList(directory: folder.path)
        _ = try list.add(Self.enrolled(certificate: "one"), plugins: ["org.example.*"])
        _ = try list.remove("home")
        #expect(try list.add(Self.enrolled(certificate: "two")).plugins == ["*"])
    }
}
