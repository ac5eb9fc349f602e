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
        case .pluginLineTooLong, .unknownMessage, .resultNotAsDeclared, .resultOutOfBounds,
            .endedWithoutResult, .askNotOffered, .rowsAskUnanswerable, .spokeOutOfTurn, .wroteAfterResult:
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
            let result = try manifest.result.check(product.payload, plugin: identity)
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

/// One case: rows in, what is expected out.
private struct TestCase {
    let name: String
    let rows: [JSONNode]
    let arguments: [(name: String, value: JSONValue)]
    let assets: MockAssets
    let fetcher: CannedFetcher
    let expected: Expectation

    enum Expectation {
        case result(JSONValue)
        /// A refusal with this word, or a diagnostic with this code.
        case refusal(String)
        case failure(Diagnostic)

        /// Why what was found is not what this expects; nil if it is.
        func mismatch(with found: Expectation) -> String? {
            switch (self, found) {
            case (.result(let wanted), .result(let got)):
                return TestCase.agree(wanted, got)
                    ? nil : "expected \(TestCase.text(wanted))\nfound    \(TestCase.text(got))"
            case (.refusal(let word), .failure(let diagnostic)):
                let codes = RefusalCode(rawValue: word).map { [$0.diagnosticCode.rawValue] } ?? [word]
                return codes.contains(diagnostic.code.rawValue)
                    ? nil : "expected \(word), found \(diagnostic)"
            case (.refusal(let word), .result(let got)):
                return "expected \(word), found \(TestCase.text(got))"
            case (_, .failure(let diagnostic)): return "\(diagnostic)"
            default: return "no comparison is possible"
            }
        }
    }

    init(_ path: String, _ manifest: Manifest) throws(Diagnostic) {
        let bytes = try SecureFile.read(path, limit: 64 << 20)
        do throws(JSONError) {
            var object = try JSONObjectReader(
                try JSONParser.parse(bytes, limits: .init(bytes: 64 << 20, values: 10_000_000)))
            name = try object.required("name").requireString()
            rows = try object.optional("rows")?.requireArray() ?? []
            var given: [String: String] = [:]
            for member in try object.optional("params")?.requireMembers() ?? [] {
                given[member.name] =
                    member.value.value.string
                    ?? String(decoding: JSONWriter.line(member.value.value), as: UTF8.self)
            }
            var files: [String: (path: String, mediaType: String?)] = [:]
            for member in try object.optional("assets")?.requireMembers() ?? [] {
                let folder = SecureFile.parent(of: path)
                if case .string(let file) = member.value.content {
                    files[member.name] = (folder + "/" + file, nil)
                } else {
                    var asset = try JSONObjectReader(member.value)
                    let file = try asset.required("file").requireString()
                    files[member.name] = (
                        folder + "/" + file, try asset.optional("mediaType")?.requireString()
                    )
                    try asset.finish()
                }
            }
            assets = MockAssets(files: files)
            var expect = try JSONObjectReader(try object.required("expect"))
            if let result = expect.optional("result") {
                expected = .result(result.value)
            } else {
                let refused = expect.optional("refuse") ?? expect.optional("error")
                guard let refused else { throw JSONError(.missingMember("result"), at: expect.position) }
                expected = .refusal(try refused.requireString())
            }
            try expect.finish()
            fetcher = try CannedFetcher(
                object.optional("fetch"), place: object.optional("place"), manifest)
            try object.finish()
            arguments = try Self.resolve(given, manifest)
        } catch {
            throw Diagnostic(
                .caseFailed, "the test case is not understood: \(error.message)",
                at: .init(file: path, line: error.position.line, column: error.position.column),
                help: "docs/spec/cases.md has the form")
        }
    }

    private static func resolve(
        _ given: [String: String], _ manifest: Manifest
    ) throws(JSONError) -> [(name: String, value: JSONValue)] {
        do {
            // The same identifier for every test: it stands for nobody.
            return try manifest.parameters.identified(try manifest.parameters.resolve(given: given)) { _ in
                "00000000-0000-4000-8000-000000000000"
            }
        } catch {
            throw JSONError(
                .wrongType(expected: "parameters as the manifest declares: \(error.message)"),
                at: JSONPosition(line: 1, column: 1, offset: 0))
        }
    }

    /// A case may leave members of a record out, and writes whole numbers where a real stands.
    static func agree(_ wanted: JSONValue, _ got: JSONValue) -> Bool {
        switch (wanted, got) {
        case (.object(let members), .object):
            return members.allSatisfy { member in got[member.name].map { agree(member.value, $0) } ?? false }
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { agree($0, $1) }
        default: break
        }
        // A table may be given as in the protocol.
        if let rows = wanted["rows"], got.array != nil { return agree(rows, got) }
        if let left = wanted.real, let right = got.real { return left == right }
        return wanted == got
    }

    static func text(_ value: JSONValue) -> String {
        let text = String(decoding: JSONWriter.line(value), as: UTF8.self)
        return text.count > 400 ? text.prefix(400) + "…" : text
    }
}

/// The rows of a case, typed by the columns that the manifest accepts.
private final class MockRows: RowProvider {
    let schema: Schema
    private let rows: [JSONNode]
    private var next = 0
    private let path: String

    init(_ rows: [JSONNode], _ columns: [AcceptedColumn], path: String) throws(Diagnostic) {
        self.rows = rows
        self.path = path
        do throws(TabularError) {
            schema = try Schema(columns.map { Field($0.name, type: $0.type, origin: "mock") })
        } catch {
            throw Diagnostic(.ownFault, "the columns cannot be described: \(error)")
        }
    }

    func next(maxRows: Int, maxBytes: Int) throws(Diagnostic) -> Batch? {
        guard next < rows.count else { return nil }
        let builder = BatchBuilder(schema: schema)
        while next < rows.count, builder.rowCount < maxRows, builder.byteCount < maxBytes {
            try append(rows[next], to: builder)
            next += 1
        }
        return builder.finish()
    }

    private func append(_ row: JSONNode, to builder: BatchBuilder) throws(Diagnostic) {
        let place = Diagnostic.Place(file: path, line: row.position.line, column: row.position.column)
        guard case .array(let cells) = row.content, cells.count == schema.columnCount else {
            throw Diagnostic(
                .caseFailed, "row \(next + 1) of the case is not an array of \(schema.columnCount) cells",
                at: place,
                help: "give one value for each of accepts.columns")
        }
        do throws(TabularError) {
            for (column, cell) in cells.enumerated() {
                switch cell.content {
                case .null: try builder.appendNull(to: column)
                case .bool(let value): try builder.append(Int64(value ? 1 : 0), to: column)
                case .integer(let value): try builder.append(cell: .integer(value), to: column)
                case .real(let value): try builder.append(cell: .real(value), to: column)
                case .string(let value): try builder.append(cell: .text(value), to: column)
                case .array, .object:
                    let bytes = cell.value["b64"]?.string.flatMap { Base64.decode($0.utf8) }
                    try builder.append(cell: bytes.map(Cell.blob) ?? .null, to: column)
                }
            }
            try builder.endRow()
        } catch {
            throw Diagnostic(
                .caseFailed, "row \(next + 1) of the case does not fit its columns: \(error)", at: place)
        }
    }
}

/// The assets of a case: files beside it.
private struct MockAssets: AssetReader {
    let files: [String: (path: String, mediaType: String?)]

    func open(_ handle: String) -> OpenAsset? {
        guard let file = files[handle] else { return nil }
        return OpenAsset(path: file.path, mediaType: file.mediaType ?? Self.mediaType(of: file.path))
    }

    private static func mediaType(of path: String) -> String {
        switch path.split(separator: ".").last?.lowercased() {
        case "jpg", "jpeg": "image/jpeg"
        case "png": "image/png"
        case "heic": "image/heic"
        default: "application/octet-stream"
        }
    }
}
