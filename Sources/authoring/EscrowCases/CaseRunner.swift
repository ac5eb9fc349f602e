import EscrowComputation
public import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowJSON
public import EscrowManifest
import EscrowMinimisation
public import EscrowSandbox
import EscrowTabular
import EscrowTrust
import EscrowWire
import Glibc

/// Runs a plugin's own test cases: mock rows in, the real program in the real sandbox, the result compared.
///
/// Nothing here is signed or granted, and no data of a person's is near: this is `escrow plugin test`.
public struct CaseRunner {
    private let manifest: Manifest
    private let folder: String
    private let sandbox: Sandbox
    private let trace: Trace?

    /// Takes an author's manifest and the folder with the program at its artifact's path. A trace counts the system
    /// calls of all cases, and refuses those that would end a run.
    public init(manifest: Manifest, folder: String, trace: Trace? = nil) throws(Diagnostic) {
        self.manifest = manifest
        self.folder = folder
        self.trace = trace
        sandbox = try Sandbox()
    }

    /// What a case came to.
    public struct Verdict: Sendable {
        /// The case's name.
        public let name: String
        /// Why it failed, or nil. On mock data values may be shown.
        public let failure: String?
        /// What the run took.
        public let milliseconds: Double
        /// The plugin's largest resident set in KiB.
        public let peakKiB: Int
        /// Bytes of the result as it would leave.
        public let resultBytes: Int
        /// What the plugin wrote on stderr.
        public let log: String
    }

    /// The same fault with a help for who wrote the plugin, where its own is for who runs it.
    private static func forItsAuthor(_ fault: Diagnostic) -> Diagnostic {
        var fault = fault
        switch fault.code {
        case .namedSystemCallNotAllowed:
            fault.help = "remove the call; escrow explain E0511 tells what makes it, and what to use instead"
        case .pluginFailed, .pluginCrashed: fault.help = "what it wrote on stderr, if anything, follows"
        case .notAProtocolLine:
            fault.help =
                "stdout is the protocol; write what you print to stderr: escrow explain \(fault.code.rawValue)"
        case .wroteAfterResult:
            fault.help =
                "stdout is the protocol, and what C prints there leaves when the program ends; write it to stderr: "
                + "escrow explain \(fault.code.rawValue)"
        case .pluginLineTooLong, .unknownMessage, .resultNotAsDeclared, .resultOutOfBounds,
            .endedWithoutResult, .askNotOffered, .rowsAskUnanswerable, .spokeOutOfTurn:
            fault.help = "escrow explain \(fault.code.rawValue); docs/spec/protocol.md has the rules"
        default: break
        }
        return fault
    }

    /// Runs one case, a JSON file as docs/spec/cases.md has it.
    public func run(_ path: String) throws(Diagnostic) -> Verdict {
        let test = try TestCase(path, manifest)
        let identity = PluginIdentity(manifest)
        let limits = RunLimits(manifest, caps: LimitCaps())
        let rows = RowStream(
            try MockRows(test.rows, manifest.accepts.columns, path: path), rows: limits[.rows],
            bytes: limits.sandbox.dataBytes)
        let record = ComputationRecord()
        var log = ""
        var watch = Stopwatch()
        var size = 0
        let found: TestCase.Expectation
        do throws(Diagnostic) {
            try rows.require(minimum: manifest.accepts.rows.minimum, plugin: identity.shortName)
            let program = try SealedProgram.seal(manifest, in: folder)
            let process = try sandbox.launch(
                program.sandboxProgram, name: identity.shortName, limits: limits.sandbox, trace: trace)
            let computation = Computation(
                plugin: identity, manifest: manifest, limits: limits, rows: rows, assets: test.assets,
                stripsFiles: manifest.accepts.minimisation.stripsFiles,
                fetcher: test.fetcher,
                record: record, progress: { _ in },
                log: { log += String(decoding: $0, as: UTF8.self) })
            let product = try computation.run(process, run: "r-test", arguments: test.arguments)
            try test.fetcher.finish()
            let result = try product.result.get()
            size = result.size
            found = .result(result.json ?? ["b64": .string(Base64.encode(result.bytes))])
        } catch {
            found = .failure(Self.forItsAuthor(error))
        }
        return Verdict(
            name: test.name, failure: test.expected.mismatch(with: found), milliseconds: watch.lap(),
            peakKiB: record.outcome?.usage.maxRSSKiB ?? 0, resultBytes: size, log: log)
    }
}
