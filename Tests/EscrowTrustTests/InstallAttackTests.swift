import EscrowDiagnostics
import EscrowManifest
import Glibc
import Testing

@testable import EscrowTrust

/// Packages of publishers who are trusted and mean harm, and files that change under the individual's eyes.
@Suite struct InstallAttackTests {
    private let home = Scratch()
    private let packages = Scratch()

    /// Trusts the publisher and another for everything that is tried here.
    private func store(revoked: [SigningKey] = []) throws -> PluginStore {
        var entries: [TrustEntry] = []
        for key in [Fixture.publisher, Fixture.other] {
            for pattern in ["org.example.*", "ratchet.*", "installed.*"] {
                entries.append(try TrustEntry(pattern: pattern, key: key.publicKey))
            }
        }
        return try Fixture.store(
            home, trust: TrustStore(entries),
            revocations: Revocations(
                sequence: 1, expires: Fixture.expires, keys: revoked.map(\.publicKey.id.description)))
    }

    private func pack(
        _ version: String, _ sequence: Int, by keys: [SigningKey] = [Fixture.publisher]
    ) throws -> String {
        try Fixture.pack(
            Fixture.manifest(version: version, sequence: sequence), keys: keys, into: packages)
    }

    /// A plugin of such a name would be exchanged with the file, and with it what the store remembers.
    @Test(arguments: ["ratchet.json", "installed.json", "ratchet.json.7.new", "installed.json.7.new"])
    func theStoresOwnNamesAreNoPlugins(id: String) throws {
        let store = try store()
        _ = try store.install(try pack("1.2.0", 7), now: Fixture.now)
        let package = try Fixture.pack(Fixture.manifest(id: id), into: packages)
        #expect(refusal { _ = try store.inspect(package, now: Fixture.now) }?.code == .notAName)
        #expect(refusal { _ = try store.install(package, now: Fixture.now) }?.code == .notAName)
        #expect(try store.list().map(\.id) == ["org.example.count"])
        #expect(
            try Ratchet.load(store.ratchetPath).highest("org.example.count", Fixture.publisher.publicKey.id)
                == 7)
    }

    @Test func aFileIsNotExchangedForAPlugin() throws {
        let store = try store()
        home.write("plugins/org.example.count", Array("mine".utf8))
        let refused = refusal { _ = try store.install(try pack("1.2.0", 7), now: Fixture.now) }
        #expect(refused?.code == .fileOperation)
        #expect(readFile(home.path + "/plugins/org.example.count") == Array("mine".utf8))
    }

    @Test func whatIsInstalledIsWhatWasShown() throws {
        let store = try store()
        let package = try pack("1.2.0", 7)
        let shown = try store.inspect(package, now: Fixture.now)
        func install() -> Diagnostic? {
            refusal { _ = try store.install(package, now: Fixture.now, shown: shown) }
        }
        let good = readFile(package)
        packages.write("count-1.2.0.escrow", readFile(try pack("1.3.0", 8)))
        #expect(install()?.code == .fileChangedWhileRead)
        // The same manifest, signed by somebody else as well.
        packages.write("count-1.2.0.escrow", good)
        _ = try PluginPackage.sign(package, with: Fixture.other)
        #expect(install()?.code == .fileChangedWhileRead)
        #expect(try store.list().isEmpty)
        #expect(try Ratchet.load(store.ratchetPath) == Ratchet())
        packages.write("count-1.2.0.escrow", good)
        #expect(install() == nil)
    }

    /// An old version that two keys signed, without the signature of the one that signed what is installed.
    @Test func leavingASignatureOutIsNoWayBack() throws {
        let old = try pack("1.1.0", 6, by: [Fixture.other])
        let store = try store()
        _ = try store.install(try pack("1.2.0", 7), now: Fixture.now)
        func code(_ store: PluginStore) -> Diagnostic.Code? {
            refusal { _ = try store.install(old, now: Fixture.now) }?.code
        }
        #expect(code(store) == .pluginRolledBack)
        _ = try store.remove("count")
        #expect(code(store) == .pluginRolledBack)
        // A stolen key that signed the highest number there is blocks nobody once it is revoked.
        #expect(try code(self.store(revoked: [Fixture.publisher])) == nil)
    }

    @Test func anotherDocumentIsNotSignedAsAPlugin() throws {
        packages.write("a.escrow", readFile("\(Fixture.vectors)/wrong-payload-type.escrow"))
        let path = packages.path + "/a.escrow"
        let before = readFile(path)
        #expect(
            refusal { _ = try PluginPackage.sign(path, with: Fixture.other) }?.code == .wrongPayloadType)
        #expect(readFile(path) == before)
    }
}
