internal import EscrowDiagnostics
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import Synchronization

/// Reads one source from end to end, the way queries do, and keeps count.
struct SourceChecker {
    /// The most problems of one file that a report holds.
    static let problemLimit = 20
    /// The most problems that a report looks at, as many as files are listed: ten million files of another kind cost no memory.
    static let listLimit = FileListing.fileLimit
    private let entry: SourceEntry

    init(_ entry: SourceEntry) { self.entry = entry }

    /// What scans report while they run.
    private final class Log: Sendable {
        struct Told {
            var problems: [(path: String, problem: FileProblem)] = []
            var unlisted = 0
        }
        let told = Mutex(Told())

        func add(_ path: String, _ problem: FileProblem) {
            told.withLock {
                if $0.problems.count < SourceChecker.listLimit {
                    $0.problems.append((path, problem))
                } else {
                    $0.unlisted += 1
                }
            }
        }
    }

    func report() -> SourceReport {
        var report = SourceReport(entry: entry)
        let log = Log()
        do throws(Diagnostic) {
            guard let adapter = SourceAdapters[entry.kind] else {
                throw Diagnostic.unknownKind(entry.kind.rawValue)
            }
            // Queries do not mention files of other kinds; here they are listed.
            let archives = ArchiveListing(choice: adapter, memory: nil) { log.add($0, $1) }
            let listing = archives.expanded(try adapter.walk { log.add($0, $1) }.list([entry.path]))
            let context = SourceContext(adapter, roots: [entry.path], listing: listing) { log.add($0, $1) }
            let rows = try countRows(of: adapter, context)
            for index in listing.files.indices {
                var file = SourceReport.FileReport(path: listing.relativePath(index))
                file.rowCount = rows[index] ?? 0
                report.files.append(file)
            }
            var places: [String: Int] = [:]
            for index in listing.files.indices { places[listing.path(index)] = index }
            log.told.withLock { told in
                for (path, problem) in told.problems { add(problem, at: path, &places, to: &report) }
                report.unlistedCount = told.unlisted
            }
        } catch {
            report.failure = error
        }
        return report
    }

    private func add(
        _ problem: FileProblem, at path: String, _ places: inout [String: Int], to report: inout SourceReport
    ) {
        let index: Int
        if let known = places[path] {
            index = known
        } else {
            let relative =
                path.hasPrefix(entry.path + "/") ? String(path.dropFirst(entry.path.count + 1)) : path
            report.files.append(SourceReport.FileReport(path: relative))
            index = report.files.count - 1
            places[path] = index
        }
        if problem == .notThisKind {
            report.files[index].isOther = true
            return
        }
        if !problem.isPartial, report.files[index].rowCount == 0 { report.files[index].isSkipped = true }
        // Two tables that read one file tell the same of it.
        let told = SourceReport.Problem(line: problem.line, reason: problem.reason)
        if report.files[index].problems.contains(where: { $0.line == told.line && $0.reason == told.reason })
        {
            return
        }
        report.files[index].problemCount += 1
        if report.files[index].problems.count < Self.problemLimit {
            report.files[index].problems.append(told)
        }
    }

    /// Scans the kind's checked tables with every column, and counts the rows of each file.
    private func countRows(of adapter: any SourceAdapter, _ context: SourceContext) throws(Diagnostic)
        -> [Int: Int]
    {
        var counts: [Int: Int] = [:]
        for table in adapter.tables(context) where adapter.checkedTables.contains(table.spec.name) {
            let scan = try table.snapshot(assets: AssetTable())
                .scan(ScanRequest(columns: ColumnMask(table.spec.columns.indices)))
            let chunk = ColumnChunk(spec: table.spec)
            while try scan.next(into: chunk) {
                let ids = chunk.rowIDs
                for row in 0..<chunk.rowCount { counts[RowID.file(of: ids.integer(row)), default: 0] += 1 }
            }
        }
        return counts
    }
}
