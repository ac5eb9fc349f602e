import EscrowComputation
import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowJSON
import EscrowManifest
import EscrowMinimisation
import EscrowSandbox
import EscrowTabular
import EscrowTrust
import EscrowWire
import Glibc

/// One case: rows in, what is expected out.
struct TestCase {
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
