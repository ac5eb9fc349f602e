import EscrowAttestation
import EscrowDiagnostics
import EscrowJSON
import EscrowOffloadWire
import EscrowServers
import Foundation
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

    /// What the individual takes for a proof has to be one: every register of the boot, each named once, and an end.
    @Test func aFileByWhichNothingIsProvedIsRefused() throws {
        let folder = try TemporaryFolder("requirement")
        let file = folder.path + "/home-software.json"
        func read(_ bytes: [UInt8]) throws -> Requirement {
            try Data(bytes).write(to: URL(filePath: file))
            return try ServerList.requirement(file)
        }
        var whole = Self.requirement
        whole.expires = Int64(time(nil)) + 86_400
        for pcr in Requirement.bootRegisters { whole.registers[pcr] = [UInt8](repeating: 2, count: 32) }
        #expect(try read(JSONWriter.document(whole.json)) == whole)

        var weak = [Requirement](repeating: whole, count: 4)
        weak[0].registers = [:]
        weak[1].registers[4] = nil
        weak[2].pcr = 16
        weak[3].expires = 1 << 62
        for each in weak {
            #expect(throws: Diagnostic.self) { try read(JSONWriter.document(each.json)) }
        }
        let text = String(decoding: JSONWriter.document(whole.json), as: UTF8.self)
        for name in ["013", "+13", "-0", "24"] {
            let odd = text.replacing(
                "\"registers\": {", with: "\"registers\": { \"\(name)\": \"\(Self.digest)\",")
            try #require(odd != text)
            #expect(throws: Diagnostic.self, "\(name)") { try read(Array(odd.utf8)) }
        }
    }

    private static let digest = String(repeating: "0", count: 64)

    @Test func aServerThatWasRemovedComesBackWithoutIt() throws {
        let folder = try TemporaryFolder("servers")
        let list = ServerList(directory: folder.path)
        _ = try list.add(Self.enrolled(certificate: "one"), plugins: ["org.example.*"])
        _ = try list.remove("home")
        #expect(try list.add(Self.enrolled(certificate: "two")).plugins == ["*"])
    }
}
