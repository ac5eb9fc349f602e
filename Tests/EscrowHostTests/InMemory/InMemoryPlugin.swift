import EscrowComputation
import EscrowDiagnostics
import EscrowFiles
import EscrowManifest
import Glibc
import Synchronization

@testable import EscrowSandbox
@testable import EscrowTrust

/// A plugin that counts people, without a process: it says lines that are fixed beforehand.
///
/// `@unchecked`: everything that changes is in the mutex.
final class InMemoryPlugin: PluginProcess, @unchecked Sendable {
    /// How it behaves.
    enum Conduct: CaseIterable {
        case honest, refuses, speaksNonsense, givesAnotherResult, givesNothing, dies, isStoppedAtALimit

        fileprivate var lines: [String] {
            let ask = #"{"ask":"rows","rows":"json","max":100}"#
            return switch self {
            case .honest: [ask, #"{"result":{"people":3}}"#]
            case .refuses: [ask, #"{"refuse":{"code":"not-enough-data","message":"40313370"}}"#]
            case .speaksNonsense: [ask, "40313370"]
            case .givesAnotherResult: [ask, #"{"result":{"people":40313370}}"#]
            case .givesNothing, .dies, .isStoppedAtALimit: [ask]
            }
        }

        fileprivate var status: Outcome.Status {
            switch self {
            case .dies: .signaled(11)
            case .isStoppedAtALimit: .limit(.memory)
            default: .exited(0)
            }
        }
    }

    private struct State {
        var lines: [String]
        var status: Outcome.Status?
    }

    private let host: InMemoryHost
    private let limits: SandboxLimits
    private let state: Mutex<State>

    init(host: InMemoryHost, limits: SandboxLimits) {
        self.host = host
        self.limits = limits
        state = Mutex(State(lines: host.plugin.lines))
    }

    func write(_ bytes: [UInt8]) throws(SandboxIOError) {
        if state.withLock({ $0.status != nil }) { throw .closed }
    }

    func read(max: Int) throws(SandboxIOError) -> [UInt8] {
        // Something may happen to the run while the plugin computes.
        do { try host.step("compute") } catch { kill(reason: .hostError) }
        return state.withLock { state in
            guard state.status == nil, !state.lines.isEmpty else { return [] }
            return Array((state.lines.removeFirst() + "\n").utf8)
        }
    }

    var unreadInput: Int { 0 }
    var failure: Diagnostic? { nil }
    func closeInput() {}

    func kill(reason: KillReason) {
        state.withLock { $0.status = $0.status ?? .killedByHost(reason) }
    }

    func end(at limit: Outcome.Limit) {
        state.withLock { $0.status = $0.status ?? .limit(limit) }
    }

    func finish() -> Outcome {
        host.note(.ended)
        let status = state.withLock { $0.status } ?? host.plugin.status
        return Outcome(
            status: status, syscall: nil, address: nil, startedMs: 0, whenMs: 0, usage: .init(),
            limits: limits, log: Array("40313370".utf8))
    }

    /// The plugin as it passed every check, under a key of its own.
    /// - Parameter isConfidential: whether it runs on servers alone; then its program is not here.
    static func verified(isConfidential: Bool = false) throws(Diagnostic) -> VerifiedPlugin {
        let bytes = try manifest(isConfidential)
        let manifest = try Manifest.parse(bytes, file: "manifest.json")
        let program = SealedCopy(
            memory: try Descriptor(opening: "/dev/null", O_RDONLY), digest: Digest(of: []), size: 0)
        return VerifiedPlugin(
            manifest: manifest, manifestDigest: Digest(of: bytes).hexadecimal,
            keyIDs: key.map { [$0] } ?? [],
            signerName: nil, program: program, artifact: manifest.artifacts[0],
            companions: SealedFolder([]), expiresSoon: false, hasCode: !isConfidential)
    }

    private static let key = try? SigningKey.generate().publicKey.id

    private static func manifest(_ isConfidential: Bool) throws(Diagnostic) -> [UInt8] {
        let text =
            isConfidential
            ? document.replacing(#""egress": []"#, with: #""server": { "confidential": true }, "egress": []"#)
            : document
        let issued = Moment(seconds: 1_790_000_000)
        return try Manifest.complete(
            authorBytes: Array(text.utf8), file: "plugin.json",
            artifacts: [("count", String(repeating: "a", count: 64), 4)], files: [], issued: issued,
            expires: issued.adding(days: 365))
    }

    private static let document = #"""
        {
          "schema": "escrow.plugin/1", "id": "org.example.count", "version": "1.0.0", "sequence": 1,
          "title": "Count", "purpose": { "code": "aggregate-statistics", "text": "Count people." },
          "publisher": { "name": "Tests" }, "license": "Apache-2.0", "host": ">=0.1.0 <1.0.0",
          "protocol": { "major": 1, "mode": "ask", "features": ["rows"] },
          "accepts": {
            "columns": [ { "name": "age", "type": "integer", "why": "counted" } ],
            "reads": { "People": ["age"] }, "rows": { "max": 1000 }
          },
          "defaultAccess": { "sql": "SELECT age FROM People" },
          "result": {
            "kind": "record",
            "fields": { "people": { "type": "integer", "min": 0, "max": 1000, "why": "how many" } },
            "maxBytes": 64
          },
          "egress": [], "limits": { "wallSeconds": 30, "cpuSeconds": 20, "memoryMiB": 64 },
          "sandbox": { "profile": "strict" },
          "artifacts": [ { "platform": "linux-x86_64", "path": "count", "linkage": "static" } ]
        }
        """#
}
