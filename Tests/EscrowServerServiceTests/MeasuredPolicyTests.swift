import EscrowAttestation
import EscrowDiagnostics
import EscrowManifest
import EscrowOffloadWire
import EscrowSandbox
import EscrowServerRegistry
import EscrowServerService
import EscrowTrust
import Foundation
import TemporaryFolder
import Testing

/// A server that proves itself runs by what it measured, whatever its files say by now.
@Suite struct MeasuredPolicyTests {
    /// Vouches for a policy. What it shows is nobody's concern here.
    private struct Vouching: Attesting {
        let policy: [UInt8]
        func evidence(_ challenge: Challenge) throws(Diagnostic) -> [UInt8] { [] }
    }

    private let scratch: TemporaryFolder
    private let home: ServerHome
    private let registry: any Registry
    private let begin: Begin

    /// A server that trusts a publisher, with a plugin of theirs.
    init() throws {
        scratch = try TemporaryFolder("policy")
        home = try ServerHome.create(
            at: scratch.path + "/server",
            settings: ServerSettings(name: "home", host: "127.0.0.1", port: 1, address: "127.0.0.1"),
            authority: nil)
        let key = try SigningKey(seed: [UInt8](repeating: 1, count: 32))
        try TrustFile(home.trustPath).add(
            TrustEntry(
                pattern: "org.example.*", key: key.publicKey, name: nil, validAfter: nil, validBefore: nil))
        let folder = scratch.url.appending(path: "plugin")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try Data("{n: length}\n".utf8).write(to: folder.appending(path: "count.jq"))
        let now = Int64(time(nil))
        let package = try PluginPackage.pack(
            folder: folder.path, authorManifest: Array(Self.manifest.utf8), file: "plugin.json", keys: [key],
            issued: Moment(seconds: now - 60), expires: Moment(seconds: now + 86_400), to: scratch.path)
        registry = try home.registry()
        let plugin = try home.register(package.path, in: registry)
        begin = Begin(
            run: "r-1", plugin: plugin.id, manifest: plugin.manifest,
            limits: RemoteLimits(
                wallMilliseconds: 1_000, cpuSeconds: 1, memoryMiB: 64, outputBytes: 1_024, logBytes: 1_024,
                processes: 1))
    }

    private static let manifest = """
        {
          "schema": "escrow.plugin/1", "id": "org.example.count", "version": "1.0.0", "sequence": 1,
          "title": "Count", "purpose": { "code": "aggregate-statistics", "text": "Count the rows." },
          "publisher": { "name": "Example Org" }, "host": ">=0.1.0 <1.0.0",
          "protocol": { "major": 1, "mode": "filter", "input": "ndjson" },
          "accepts": { "columns": [ { "name": "id", "type": "integer" } ], "reads": { "Contacts": ["id"] } },
          "result": { "kind": "record", "fields": { "n": { "type": "integer", "min": 0 } }, "maxBytes": 64 },
          "sandbox": { "profile": "runtime" },
          "artifacts": [ { "platform": "any", "path": "count.jq", "interpreter": "jq" } ]
        }
        """

    private func service(_ attester: (any Attesting)?) throws -> RunService {
        try RunService(home, registry, version: "1", isMemoryLocked: false, attester: attester)
    }

    /// Whether the plugin passes the server's trust; a machine without walls or jq starts it all the same not.
    private func isTrusted(by service: RunService) -> Bool {
        do throws(RemoteRefusal) {
            let started = try service.begin(begin, device: "aa")
            started.process.kill(reason: .cancelled)
            _ = started.process.finish(graceSeconds: 0)
            return true
        } catch { return error != .untrustedPlugin }
    }

    private func write(_ trust: String) throws {
        try Data(trust.utf8).write(to: URL(filePath: home.trustPath))
    }

    @Test func whoIsTrustedLaterIsNotTrustedByWhatWasMeasured() throws {
        let attested = try service(Vouching(policy: []))
        #expect(!isTrusted(by: attested))
        #expect(isTrusted(by: try service(nil)))
    }

    @Test func whoWasTrustedAsItWasMeasuredStaysSo() throws {
        let attested = try service(
            Vouching(policy: Array(try Data(contentsOf: URL(filePath: home.trustPath)))))
        try write("")
        #expect(isTrusted(by: attested))
        #expect(!isTrusted(by: try service(nil)))
    }

    @Test func whatCannotBeReadAsATrustStoreIsNotVouchedFor() throws {
        #expect(throws: Diagnostic.self) { try service(Vouching(policy: Array("nonsense".utf8))) }
    }
}
