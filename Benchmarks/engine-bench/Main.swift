import EscrowDiagnostics
import EscrowRelational
import EscrowSchema
import EscrowSources
import Glibc

/// The second paper's comparison of relational engines (Figure 4, Tables 4 and 5): the same queries over one source, by
/// each engine and by hand, in turns.
///
///     engine-bench contacts|photos PATH ROUNDS
///
/// prints one JSON object a query and way: `{"query": …, "way": …, "rows": …, "ms": [ … ]}`. A first round, not told, warms the
/// caches of files. Ends with 1 if two ways answer differently.
@main
enum Main {
    static func main() {
        let words = CommandLine.arguments
        guard words.count == 4, let rounds = Int(words[3]), rounds > 0, let queries = Query.all(words[1])
        else {
            complain("usage: engine-bench contacts|photos PATH ROUNDS")
            exit(64)
        }
        do {
            var registry = try SourceRegistry.load(directory: "/nonexistent")
            try registry.add(kind: words[1], path: words[2])
            let tables = registry.tables()
            for query in queries { try measure(query, tables, of: words[1], rounds) }
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    private static func measure(
        _ query: Query, _ tables: [any TableSource], of kind: String, _ rounds: Int
    ) throws(Diagnostic) {
        let table = tables.first { $0.spec.sourceKind == kind && query.sql.contains("FROM " + $0.spec.name) }!
        let kept = MaterialCache(maximumBytes: 4 << 30)
        func engine(_ engine: Engine, _ kept: MaterialCache? = nil) -> () throws(Diagnostic) -> Tally {
            { () throws(Diagnostic) in try answer(query, tables, by: engine, kept) }
        }
        let ways: [(String, () throws(Diagnostic) -> Tally)] = [
            ("by hand", { () throws(Diagnostic) in try byHand(query, table) }),
            ("materialize and ask", engine(.materialized)),
            ("materialized", engine(.materialized, kept)),
            ("virtual", engine(.virtual)),
            ("pushdown", engine(.pushdown)),
        ]
        var times = [[Double]](repeating: [], count: ways.count)
        var expected: Tally?
        for round in 0...rounds {
            for turn in ways.indices {
                let way = (turn + round) % ways.count
                let start = now()
                let tally = try ways[way].1()
                let took = now() - start
                guard expected == nil || agrees(expected!, tally) else {
                    complain("\(query.name): \(ways[way].0) gave \(tally), not \(expected!)")
                    exit(1)
                }
                expected = tally
                if round > 0 { times[way].append(took) }
            }
        }
        for (way, took) in zip(ways, times) {
            let list = took.map { String(($0 * 1_000).rounded() / 1_000) }.joined(separator: ", ")
            print(
                #"{"query": "\#(query.name)", "way": "\#(way.0)", "rows": \#(expected!.rows), "ms": [\#(list)]}"#
            )
        }
    }

    /// Sums of numbers depend on the order of rows.
    private static func agrees(_ one: Tally, _ other: Tally) -> Bool {
        one.rows == other.rows && one.nulls == other.nulls && one.bytes == other.bytes
            && abs(one.numbers - other.numbers) <= 1e-9 * max(abs(one.numbers), 1)
    }

    /// Milliseconds on the steady clock.
    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }

    private static func complain(_ text: String) {
        let line = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
