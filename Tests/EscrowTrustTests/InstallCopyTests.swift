import EscrowDiagnostics
import EscrowFiles
import EscrowManifest
import Testing

@testable import EscrowTrust

/// A plugin that hands rows on as they are, and does not say so.
@Suite struct InstallCopyTests {
    /// Its author signed it without `plugin pack`, which would have refused it.
    @Test func aCopyThatDoesNotSaySoIsNotInstalled() throws {
        func folder(purpose: String) throws -> Scratch {
            let authored = Fixture.manifest()
                .replacing(
                    #"{ "kind": "record", "fields": { "n": { "type": "integer", "min": 0 } }, "maxBytes": 64 }"#,
                    with:
                        #"{ "kind": "table", "columns": [ { "name": "id", "type": "integer" } ], "maxRows": 9, "maxBytes": 640 }"#
                ).replacing("aggregate-statistics", with: purpose)
            let payload = try Manifest.complete(
                authorBytes: Array(authored.utf8), file: "plugin.json",
                artifacts: [("count.jq", Digest(of: Fixture.script).hexadecimal, Fixture.script.count)],
                files: [], issued: Fixture.issued, expires: Fixture.expires)
            let folder = Scratch()
            folder.write("count.jq", Fixture.script)
            folder.write(
                PackageReader.envelopeName,
                try Envelope.sign(payload, as: .pluginManifest, with: [Fixture.publisher]).encoded)
            return folder
        }
        let home = Scratch()
        let store = try Fixture.store(home)
        let sly = try folder(purpose: "search")
        #expect(refusal { _ = try store.inspect(sly.path, now: Fixture.now) }?.code == .rowsHandedOn)
        #expect(refusal { _ = try store.install(sly.path, now: Fixture.now) }?.code == .rowsHandedOn)
        #expect(try store.list().isEmpty)
        #expect(try Folder.names(home.path + "/plugins").allSatisfy { !$0.contains("count") && $0 != ".new" })
        #expect(try Ratchet.load(store.ratchetPath) == Ratchet())
        let plain = try folder(purpose: "data-copy")
        #expect(try store.install(plain.path, now: Fixture.now).id == "org.example.count")
    }
}
