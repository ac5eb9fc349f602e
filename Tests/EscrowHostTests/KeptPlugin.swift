import EscrowConsent
import EscrowFiles
import EscrowHome
import EscrowHost
import EscrowManifest
import Foundation

@testable import EscrowTrust

/// A sample, `data-copy` where nothing is said, put where installed plugins are without the commands that pack and install it.
enum KeptPlugin {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Signs it under a purpose, maybe with another script, by a new key that the home trusts; and adds the sample contacts.
    static func keep(
        _ plugin: String = "data-copy", _ program: String = "data-copy.jq", in home: Home,
        purpose: String = "data-copy", script: String? = nil
    ) throws {
        let source = root.appending(path: "Plugins/\(plugin)")
        let key = try SigningKey.generate()
        try TrustFile(home.trustPath).add(try TrustEntry(pattern: "org.example.*", key: key.publicKey))
        let authored = try String(contentsOf: source.appending(path: "plugin.json"), encoding: .utf8)
            .replacing("\"data-copy\"", with: "\"\(purpose)\"")
        let own = try String(contentsOf: source.appending(path: program), encoding: .utf8)
        let script = Array((script ?? own).utf8)
        let host = try Host(home: home)
        _ = try host.addSource(kind: "contacts", path: root.appending(path: "samples/contacts.vcf").path)
        let now = try host.now()
        let payload = try Manifest.complete(
            authorBytes: Array(authored.utf8), file: "plugin.json",
            artifacts: [(program, Digest(of: script).hexadecimal, script.count)], files: [],
            issued: now, expires: now.adding(days: 90))
        let manifest = try Manifest.parse(payload, file: "plugin.json")
        let folder = home.pluginsPath + "/" + manifest.id
        try SecureFile.makeFolder(folder)
        let envelope = try Envelope.sign(payload, as: .pluginManifest, with: [key]).encoded
        try SecureFile.replace("\(folder)/\(PackageReader.envelopeName)", with: envelope)
        try SecureFile.replace(folder + "/" + program, with: script, mode: 0o644)
        let row = InstalledPlugin(
            id: manifest.id, version: manifest.version.description, sequence: manifest.sequence,
            manifestDigest: Digest(of: payload).hexadecimal, keyIDs: [key.publicKey.id.description],
            installed: now)
        try InstalledList(plugins: [row]).save(home.pluginsPath + "/installed.json")
        var ratchet = Ratchet()
        ratchet.record(row.id, sequence: manifest.sequence, keys: [key.publicKey])
        try ratchet.save(home.pluginsPath + "/ratchet.json")
    }

    /// Says yes to everything, once.
    struct Yes: Decider {
        var canAsk: Bool { true }
        func decide(_ description: DataflowDescription, _ decision: Decision) -> ConsentReply {
            .answer(.allow(.once))
        }
        func review(_ description: DataflowDescription, _ result: ResultPreview) -> ConsentReply { .none }
    }
}
