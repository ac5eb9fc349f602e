import EscrowDiagnostics
import EscrowFiles
import EscrowManifest
import Glibc
import Testing

@testable import EscrowTrust

/// A plugin whose code is on servers alone: what a device has of it, and what cannot pass for that.
@Suite struct ConfidentialTests {
    let home = Scratch()
    let store: PluginStore

    init() throws { store = try Fixture.store(home) }

    static let confidential = Fixture.manifest(extra: #""server": { "confidential": true },"#)

    /// The package as servers have it, and as devices have it.
    private func packages() throws -> (whole: String, device: String) {
        let whole = try Fixture.pack(Self.confidential, into: home)
        home.write("device.escrow", try PluginPackage.deviceFile(of: whole))
        return (whole, home.path + "/device.escrow")
    }

    @Test func aDeviceHasTheSignedManifestAndNoneOfTheCode() throws {
        let (whole, device) = try packages()
        #expect(readFile(whole).contains(sequence: Fixture.script))
        #expect(!readFile(device).contains(sequence: Fixture.script))
        let seen = try store.inspect(device, now: Fixture.now)
        #expect(!seen.hasCode)
        // The same that servers have: by this digest a request names it.
        let served = try store.inspect(whole, now: Fixture.now)
        #expect(served.hasCode)
        #expect(served.digest == seen.digest)
        _ = try store.install(device, now: Fixture.now)
        #expect(try Folder.names(home.path + "/plugins/org.example.count") == [PackageReader.envelopeName])
        let plugin = try store.open("count", now: Fixture.now)
        #expect(plugin.hasCode == false)
        #expect(plugin.program.size == 0)
        #expect(plugin.manifestDigest == seen.digest.hexadecimal)
        #expect(try !store.check("count", now: Fixture.now).hasCode)
    }

    @Test func aServerHasAllOfIt() throws {
        _ = try store.install(try packages().whole, now: Fixture.now)
        let plugin = try store.open("count", now: Fixture.now)
        #expect(plugin.hasCode == true)
        #expect(plugin.program.digest == Digest(of: Fixture.script))
        // With a part of its files it is no device's part either.
        #expect(unlink(home.path + "/plugins/org.example.count/count.jq") == 0)
        #expect(refusal { _ = try store.open("count", now: Fixture.now) } != nil)
        #expect(refusal { _ = try store.check("count", now: Fixture.now) }?.code == .packageFileMissing)
    }

    @Test func anOrdinaryPluginWithoutItsCodeIsRefused() throws {
        let whole = try Fixture.pack(into: home)
        #expect(refusal { _ = try PluginPackage.deviceFile(of: whole) }?.code == .packageFileMissing)
        // Made by hand, it is the beginning of the package and its end.
        var reader = try PackageReader(opening: whole)
        let envelope = try reader.envelope()
        let part =
            Archive.header(PackageReader.envelopeName, size: envelope.count, executable: false) + envelope
            + [UInt8](repeating: 0, count: Archive.padding(envelope.count) + 2 * Archive.block)
        home.write("part.escrow", part)
        let path = home.path + "/part.escrow"
        #expect(refusal { _ = try store.install(path, now: Fixture.now) }?.code == .packageFileMissing)
    }

    @Test func theManifestSaysItOnceAndChangesAreToldOf() throws {
        let contradiction = Fixture.manifest(
            extra: #""server": { "allowed": false, "confidential": true },"#)
        #expect(refusal { _ = try Fixture.pack(contradiction, into: home) }?.code == .membersContradict)
        let open = try store.inspect(try Fixture.pack(into: home), now: Fixture.now).manifest.permissions
        let kept = try store.inspect(try packages().whole, now: Fixture.now).manifest.permissions
        #expect(!kept.isWithin(open))
        #expect(open.isWithin(kept))
        #expect(
            kept.difference(from: open).map(\.sentence)
                == ["is kept on servers alone: nobody but its publisher can look at it"])
    }
}

extension [UInt8] {
    fileprivate func contains(sequence: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: sequence) }
    }
}
