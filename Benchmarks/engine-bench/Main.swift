import EscrowDiagnostics
import EscrowRelational
import EscrowSchema
import EscrowSources
import EscrowTableKit
import Glibc

/// The second paper's comparison of relational engines (Figure 4, Tables 4 and 5): the same queries over one source, by
/// each engine and by hand, in turns; how long native tables take to fill; and what a row costs.
///
///     engine-bench contacts|photos PATH TOUCHED HOME SIZE ROUNDS [QUERY [WAY]]
///     engine-bench rows ROUNDS
///
/// prints one JSON object a query and way: `{"query": …, "way": …, "rows": …, "ms": [ … ]}`. HOME is a folder for what the host
/// would keep between queries; TOUCHED a file of the source whose time of change is set back. Three rounds, not told, warm the
/// caches of files and let the sources make what they keep. Ends with 1 if two ways answer differently. With a QUERY, such as
/// `projection`, that one alone; with a WAY, such as `by hand`, by that alone: what a profiler is to look at.
@main
enum Main {
    private static let warmRounds = 3
    /// The most contacts that are joined by the engine without an index.
    private static let joinLimit = 1_000

    static func main() {
        let words = CommandLine.arguments
        do {
            if words.count == 3, words[1] == "rows", let rounds = Int(words[2]), rounds > 0 {
                for width in [1, 2, RowCost.widest] {
                    try measure("rows\(width)", RowCost.ways(width, MaterialCache()), rounds)
                }
            } else if (7...9).contains(words.count), let size = Int(words[5]), let rounds = Int(words[6]),
                rounds > 0,
                let queries = Query.all(words[1])
            {
                var registry = try SourceRegistry.load(directory: words[4])
                try registry.add(kind: words[1], path: words[2])
                // As a host that stays: folders are watched, and looked at again where something changed.
                let memory = SourceMemory(directory: words[4])
                memory.watchFolders()
                let tables = registry.tables(memory: memory)
                if words.count == 7 {
                    for query in queries { try compare(query, tables, size: size, rounds) }
                    try materialize(words[1], tables, touching: words[3], rounds)
                }
                let way = words.count == 9 ? words[8] : nil
                for query in queries where words.count > 7 && query.name == words[7] {
                    try compare(query, tables, size: size, rounds, way)
                }
            } else {
                complain(
                    "usage: engine-bench contacts|photos PATH TOUCHED HOME SIZE ROUNDS [QUERY [WAY]], or rows ROUNDS"
                )
                exit(64)
            }
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    /// Table 4.
    private static func compare(
        _ query: Query, _ tables: [any TableSource], size: Int, _ rounds: Int, _ only: String? = nil
    ) throws(Diagnostic) {
        let kept = MaterialCache(maximumBytes: 4 << 30)
        func engine(_ engine: Engine, _ kept: MaterialCache? = nil) -> () throws(Diagnostic) -> Tally {
            { () throws(Diagnostic) in try answer(query.sql, tables, by: engine, kept) }
        }
        var ways: [(String, () throws(Diagnostic) -> Tally)] = [
            ("by hand", { () throws(Diagnostic) in try ByHand(query, tables).answer() }),
            ("materialize and ask", engine(.materialized)),
            ("materialized", engine(.materialized, kept)),
            ("virtual", engine(.virtual)),
            ("pushdown", engine(.pushdown)),
        ]
        if query.isEndlessWithoutIndex, size > joinLimit { ways.removeAll { $0.0 == "virtual" } }
        if let only { ways.removeAll { $0.0 != only } }
        if !ways.isEmpty { try measure(query.name, ways, rounds) }
    }

    /// Table 5: until the first row of the whole table, out of native tables that are not there, that are as the source is, and that
    /// one changed file makes stale.
    private static func materialize(
        _ kind: String, _ tables: [any TableSource], touching path: String, _ rounds: Int
    ) throws(Diagnostic) {
        let kept = MaterialCache(maximumBytes: 4 << 30)
        // All is filled for the first row, and one row is all that is asked for. Handles of assets are of one run, so native tables
        // that hold some are never kept.
        let sql =
            kind == "contacts"
            ? "SELECT * FROM Contacts LIMIT 1"
            : "SELECT id, filename, fileSize, creationDate, collectionName, latitude, longitude FROM Photos LIMIT 1"
        var age = 1_600_000_000
        func touch() {
            age += 1
            var times = [timeval(tv_sec: age, tv_usec: 0), timeval(tv_sec: age, tv_usec: 0)]
            _ = utimes(path, &times)
            // Nothing is kept of what was touched within two seconds, and these are counted in whole seconds.
            // So three pass, and are not measured.
            usleep(3_100_000)
        }
        try measure(
            "materialize",
            [
                ("first", { () throws(Diagnostic) in try answer(sql, tables, by: .materialized, nil) }),
                (
                    "nothing changed",
                    { () throws(Diagnostic) in try answer(sql, tables, by: .materialized, kept) }
                ),
                (
                    "one file changed",
                    { () throws(Diagnostic) in try answer(sql, tables, by: .materialized, kept) }
                ),
            ], rounds, inTurns: false, preparing: { if $0 == "one file changed" { touch() } })
    }

    private static func measure(
        _ name: String, _ ways: [(String, () throws(Diagnostic) -> Tally)], _ rounds: Int,
        inTurns: Bool = true, preparing prepare: (_ way: String) -> Void = { _ in }
    ) throws(Diagnostic) {
        var times = [[Double]](repeating: [], count: ways.count)
        var expected: Tally?
        func once(_ way: Int, isTold: Bool) throws(Diagnostic) {
            spare.refill()
            prepare(ways[way].0)
            let start = now()
            let tally = try ways[way].1()
            let took = now() - start
            guard expected?.agrees(with: tally) ?? true else {
                complain("\(name): \(ways[way].0) gave \(tally), not \(expected!)")
                exit(1)
            }
            expected = tally
            if isTold { times[way].append(took) }
        }
        if inTurns {
            for round in 0..<warmRounds + rounds {
                for turn in ways.indices {
                    try once((turn + round) % ways.count, isTold: round >= warmRounds)
                }
            }
        } else {
            // What one way leaves behind is what another is measured by.
            for way in ways.indices {
                for round in 0..<1 + rounds { try once(way, isTold: round > 0) }
            }
        }
        for (way, took) in zip(ways, times) {
            let list = took.map { String(($0 * 10_000).rounded() / 10_000) }.joined(separator: ", ")
            print(#"{"query": "\#(name)", "way": "\#(way.0)", "rows": \#(expected!.rows), "ms": [\#(list)]}"#)
        }
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
