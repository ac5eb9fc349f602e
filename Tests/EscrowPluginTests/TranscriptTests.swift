import EscrowComputation
import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import EscrowTabular
import EscrowWire
import Glibc
import TemporaryFolder
import Testing

@testable import EscrowPlugin

/// The transcripts of Tests/Vectors/protocol, played against the host's state machine and against the kits.
@Suite(.serialized) struct TranscriptTests {
    private static let folder = "\(PluginCaseTests.root)/Tests/Vectors/protocol"
    static let files = PluginCaseTests.files(in: folder).filter { $0.hasSuffix(".txt") }

    @Test(arguments: files.filter { !$0.hasPrefix("host-") })
    func theSessionEndsAsTheTranscriptSays(file: String) throws {
        let transcript = try Transcript("\(Self.folder)/\(file)")
        // However the pipe cuts the plugin's bytes, the meaning is the same. An ask must arrive with nothing after it,
        // and a byte alone has nothing after it: the two of these that need company are cut by lines only.
        for size in file.contains("two-asks") || file.contains("before-answer") ? [Int.max] : [Int.max, 7, 1]
        {
            #expect(
                try Self.play(transcript, cutInto: size) == transcript["end"], "\(file), cut into \(size)")
        }
    }

    @Test func thereIsABadTranscriptForEveryRule() throws {
        let ends = try Self.files.compactMap { try Transcript("\(Self.folder)/\($0)")["end"] }
        for code in WireError.Code.allCases {
            #expect(ends.contains(code.diagnosticCode.rawValue), "\(code)")
        }
    }

    /// Plays the plugin's part to the host and compares every byte that the host writes.
    private static func play(_ transcript: Transcript, cutInto size: Int) throws -> String? {
        var host = try TranscriptHost(transcript)
        var isEnded = false
        do {
            for step in transcript.steps {
                switch step {
                case .host(let bytes, let line):
                    let actual = Array(host.written.prefix(bytes.count))
                    #expect(
                        actual == bytes,
                        "\(transcript.name):\(line): \(String(decoding: actual, as: UTF8.self)) \(Base64.encode(actual))"
                    )
                    host.written.removeFirst(actual.count)
                case .plugin(let bytes): try host.receive(bytes, cutInto: size)
                case .pluginEnd:
                    try host.session.endOfOutput()
                    isEnded = true
                case .hostEnd: break
                }
            }
        } catch let error as WireError {
            #expect(error.line == host.session.line)
            return error.code.diagnosticCode.rawValue
        }
        #expect(host.written.isEmpty, "\(transcript.name): the host wrote more than the transcript says")
        return isEnded ? host.end : nil
    }

    @Test(arguments: files)
    func theKitsPlayTheirPart(file: String) throws {
        let transcript = try Transcript("\(Self.folder)/\(file)")
        for kit in transcript.words("kit") {
            let outcome: (output: [UInt8], exitStatus: Int32)
            if kit == "swift" {
                let channel = ReplayChannel(transcript.hostBytes)
                let status = Conformance.serve(Conformance(), over: channel)
                outcome = (channel.written, status.rawValue)
            } else {
                guard let command = try Self.command(kit) else { continue }
                let process = PluginProcess(command: command, schema: try transcript.schema())
                outcome = try process.filter(transcript.hostBytes)
            }
            let expected = transcript["end"]?.hasPrefix("exit ") == true ? transcript.words("end")[1] : "0"
            #expect(String(outcome.exitStatus) == expected, "\(file), \(kit)")
            #expect(try Self.lines(outcome.output) == Self.lines(transcript.pluginBytes), "\(file), \(kit)")
        }
    }

    /// Lines as JSON, with the members of objects in the order of their names.
    private static func lines(_ bytes: [UInt8]) throws -> [JSONValue] {
        try bytes.split(separator: 0x0A).map { sorted(try JSONParser.parse($0).value) }
    }

    private static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members):
            .object(members.map { (name: $0.name, value: sorted($0.value)) }.sorted { $0.name < $1.name })
        case .array(let items): .array(items.map(sorted))
        case .integer(let value) where Int64(exactly: Double(value)) == value: .real(Double(value))
        default: value
        }
    }

    /// How to start a kit's plugin; nil, and a line that says why, if that cannot be done here.
    private static func command(_ kit: String) throws -> [String]? {
        let plugin = "\(folder)/kits/conformance.py"
        switch kit {
        case "python": return ["/usr/bin/python3", "-I", "-S", "-B", plugin]
        case "python-arrow":
            // The python3 of the PATH: pyarrow is hardly ever the system's own.
            var probe = PluginProcess(
                command: ["/usr/bin/env", path, "python3", "-I", "-c", "import pyarrow"],
                schema: try Schema([.init("a", type: .text)]))
            probe.isQuiet = true
            guard try probe.filter([]).exitStatus == 0 else {
                print("SKIP: python3 has no pyarrow")
                return nil
            }
            return ["/usr/bin/env", path, "python3", "-I", "-B", plugin, "--arrow"]
        case "c-arrow": return try cArrowKit.get()
        default: return try cKit.get()
        }
    }

    private static let path = "PATH=\(getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin")"

    /// The C kit's plugin with rows in JSON and with rows in Arrow, each compiled once; nil where there is no compiler.
    private static let cKit = Swift.Result<[String]?, any Error> { try compile("json") }
    private static let cArrowKit = Swift.Result<[String]?, any Error> {
        try compile("arrow", "-DESCROW_ARROW")
    }

    private static let scratch = Swift.Result<TemporaryFolder, any Error> {
        try TemporaryFolder("escrow-conformance")
    }

    private static func compile(_ name: String, _ options: String...) throws -> [String]? {
        let compiler = "/usr/bin/cc"
        guard access(compiler, X_OK) == 0 else {
            print("SKIP: \(compiler) is not there")
            return nil
        }
        let program = "\(try scratch.get().path)/\(name)"
        let arguments =
            options + [
                "-O1", "-Wall", "-Wextra", "-Werror", "-I\(PluginCaseTests.root)/SDK/c", "-o", program,
            ]
        let compile = PluginProcess(
            command: [compiler] + arguments + ["\(folder)/kits/conformance.c"],
            schema: try Schema([.init("a", type: .text)]), environment: ["PATH=/usr/bin:/bin"])
        #expect(try compile.filter([]).exitStatus == 0, "the C kit compiles without a warning")
        return [program]
    }
}

/// The plugin that the transcripts test the Swift kit with.
struct Conformance: ComputePlugin {
    func compute(_ run: borrowing Run) throws -> Result {
        let what = try run.text(parameter: "do")
        if what == "request" { return try request(run) }
        if what == "together" { return try together(run) }
        guard what == "sum" else { throw Refusal(.notEnoughData, "none") }
        var count = 0
        var sum = 0
        for row in run.rows {
            count += 1
            if try !row.isNull("a") { sum += try row.integer("a") }
        }
        return ["n": .integer(count), "sum": .integer(sum)]
    }

    private func request(_ run: borrowing Run) throws -> Result {
        var count = 0
        var failed = 0
        for endpoint in ["b", "a"] {
            do {
                let fields: [String: Value] = ["x": .real(0.5), "t": .text("\""), "f": .boolean(true)]
                count += try run.fetch(endpoint, fields).body.count
            } catch let error as PluginError where error.code == .hostError {
                failed += 1
            }
        }
        return ["bytes": .integer(count), "failed": .integer(failed)]
    }

    private func together(_ run: borrowing Run) throws -> Result {
        let ends = try run.fetchTogether([
            Request("c"), Request("b", ["n": .integer(1)]), Request("a", ["n": .integer(2)]),
        ])
        var count = 0
        var failed = 0
        for end in ends {
            switch end {
            case .success(let response): count += response.body.count
            case .failure: failed += 1
            }
        }
        return ["bytes": .integer(count), "failed": .integer(failed)]
    }
}

/// A host that has already written everything.
final class ReplayChannel: HostChannel {
    private var rest: ArraySlice<UInt8>
    private(set) var written: [UInt8] = []

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let piece = rest.prefix(buffer.count)
        buffer.copyBytes(from: piece)
        rest = rest.dropFirst(piece.count)
        return piece.count
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        written.append(contentsOf: bytes)
        return true
    }
}
