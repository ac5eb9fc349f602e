import EscrowDiagnostics
import EscrowSchema
import EscrowSources
import EscrowTableKit
import EscrowTabular
import Glibc

/// Queries over a folder of photos, by what is remembered of it: index.py asks for one after the other.
///
///     index-bench FOLDER HOME ROUNDS once|stays|newest COLUMN...
///
/// `newest` is a process that runs once and asks for the one row with the greatest value of the first column. It prints one line a round: rows, milliseconds of the listing, milliseconds in all, files read, files looked at under watch
/// (`-` for a process that runs once, which looks at all it needs).
@main
enum Main {
    static func main() {
        let words = CommandLine.arguments
        guard words.count > 5, let rounds = Int(words[3]), ["once", "stays", "newest"].contains(words[4])
        else {
            complain("usage: index-bench FOLDER HOME ROUNDS once|stays|newest COLUMN...")
            exit(64)
        }
        do {
            try measure(
                words[1], home: words[2], rounds: rounds, stays: words[4] == "stays",
                isNewest: words[4] == "newest",
                Array(words[5...]))
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    private static func measure(
        _ folder: String, home: String, rounds: Int, stays: Bool, isNewest: Bool, _ names: [String]
    ) throws(Diagnostic) {
        var registry = try SourceRegistry.load(directory: home)
        if registry.entries.isEmpty {
            try registry.add(kind: "photos", path: folder)
            try registry.save()
        }
        let memory = SourceMemory(directory: home)
        memory.onNotice { complain("\($0)") }
        if stays { memory.watchFolders() }
        for _ in 0..<rounds {
            let (read, looked) = (memory.filesRead, memory.filesLookedAt)
            let start = now()
            let table = registry.tables(memory: memory).first { $0.spec.name == "Photos" }!
            let columns = names.compactMap { table.spec.column(named: $0) }
            let snapshot = try table.snapshot(assets: AssetTable())
            let listed = now()
            var request = ScanRequest(columns: ColumnMask(columns))
            let chunk = ColumnChunk(spec: table.spec)
            if isNewest {
                request.order = [OrderTerm(column: columns[0], descending: true)]
                request.limit = 1
                chunk.wantedRows = 1
                guard try snapshot.offer(for: request)?.servesOrder == true else {
                    throw Diagnostic(.sqliteUnfit, "the source does not serve the order")
                }
            }
            let scan = try snapshot.scan(request)
            var rows = 0
            while try scan.next(into: chunk) {
                rows += chunk.rowCount
                if isNewest, rows > 0 { break }
            }
            let end = now()
            let looks = stays ? String(memory.filesLookedAt - looked) : "-"
            print(rows, tenths(listed - start), tenths(end - start), memory.filesRead - read, looks)
            // A line may make the caller change something before the next round.
            fflush(nil)
            if stays { _ = readLine() }
        }
    }

    private static func tenths(_ milliseconds: Double) -> Double { (milliseconds * 10).rounded() / 10 }

    /// Milliseconds on the steady clock.
    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }

    private static func complain(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }
}
