import EscrowAppHost
import EscrowDiagnostics
import EscrowHome
import EscrowHost
import EscrowSources
import EscrowTableKit
import Glibc

/// The two sides of the papers' measure of what run() costs, each a process that stays and does one round for each line
/// that it reads.
///
///     overhead-bench direct contacts|photos|location PATH FOLDER
///     overhead-bench host HOME
///     overhead-bench query contacts|photos|location PATH FOLDER
///
/// `direct` computes in process, straight on the source's own interface: for each line on stdin one JSON object,
/// `{"access": ms, "compute": ms, "result": …}`; what the sources keep between rounds, they keep in FOLDER. `host` is
/// `escrow host --stdio` over the same library; besides it writes one line to stderr for each run, the milliseconds of its
/// parts, before the app has the answer. `query` answers the SQL of each line, for the comparison with other readers of the
/// same files.
@main
enum Main {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        do throws(Diagnostic) {
            switch words.count {
            case 4 where words[0] == "direct" || words[0] == "query":
                try answer(words[1], words[2], words[3], isQuery: words[0] == "query")
            case 2 where words[0] == "host": try serve(words[1])
            default:
                Line.complain(
                    "usage: overhead-bench direct|query contacts|photos|location PATH FOLDER | host HOME")
                exit(64)
            }
        } catch {
            Line.complain("\(error)")
            exit(1)
        }
    }

    private static func answer(
        _ kind: String, _ path: String, _ folder: String, isQuery: Bool
    ) throws(Diagnostic) {
        var registry = try SourceRegistry.load(directory: folder)
        try registry.add(kind: kind, path: path)
        // As a host that stays: folders are watched, and looked at again where something changed.
        let memory = SourceMemory(directory: folder)
        memory.watchFolders()
        while let line = readLine() {
            guard !isQuery else {
                try Queries.answer(line, registry.tables(memory: memory))
                continue
            }
            let round = try Baseline(registry.tables(memory: memory)).round(kind)
            Line.tell(
                #"{"access": \#(round.accessMs), "compute": \#(round.computeMs), "result": \#(round.result)}"#
            )
        }
    }

    private static func serve(_ home: String) throws(Diagnostic) {
        let host = try Host(home: try Home.open(at: home))
        let service = try HostService(host: host, input: 0, output: 1, version: "bench") { figures in
            let parts = [
                ("verify", figures.verifyMs), ("prepare", figures.resolveMs), ("decide", figures.decideMs),
                ("record", figures.recordMs), ("launch", figures.launchMs), ("access", figures.readMs),
                ("compute", figures.computeMs - figures.readMs), ("result", figures.resultMs),
                ("plugin", figures.pluginCPUSeconds * 1_000),
            ]
            Line.complain("{" + parts.map { #""\#($0.0)": \#($0.1)"# }.joined(separator: ", ") + "}")
        }
        try service.serve()
    }
}

/// Lines on stdout and stderr, each written whole and at once.
enum Line {
    static func tell(_ text: String) { write(text, to: STDOUT_FILENO) }
    static func complain(_ text: String) { write(text, to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array((text + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { exit(1) }
            rest = rest.dropFirst(count)
        }
    }
}
