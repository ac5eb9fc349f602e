internal import EscrowDiagnostics
internal import EscrowSchema
internal import Synchronization

/// Reads one source from end to end, the way queries do, and keeps count.
struct SourceChecker {
    /// The most problems of one file that a report holds.
    static let problemLimit = 20
    private let entry: SourceEntry

    init(_ entry: SourceEntry) { self.entry = entry }

    /// What scans report while they run.
    private final class Log: Sendable {
        let problems = Mutex<[(path: String, problem: FileProblem)]>([])
        func add(_ path: String, _ problem: FileProblem) { problems.withLock { $0.append((path, problem)) } }
    }

    func report() -> SourceReport {
        var report = SourceReport(entry: entry)
        let log = Log()
        let context = SourceContext(roots: [entry.path], estimate: 1) { log.add($0, $1) }
        do {
            // Queries do not mention files of other kinds; here they are listed.
            let walk = FolderWalk(classify: entry.kind.classify) { path, problem in log.add(path, problem) }
            let listing = try walk.list([entry.path])
            let rows = try countRows(of: listing, context)
            for index in listing.files.indices {
                var file = SourceReport.FileReport(path: listing.relativePath(index))
                file.rowCount = rows[index] ?? 0
                report.files.append(file)
            }
            var places: [String: Int] = [:]
            for index in listing.files.indices { places[listing.path(index)] = index }
            log.problems.withLock { problems in
                for (path, problem) in problems { add(problem, at: path, &places, to: &report) }
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
        if !problem.isPartial, report.files[index].rowCount == 0 { report.files[index].isSkipped = true }
        report.files[index].problemCount += 1
        if report.files[index].problems.count < Self.problemLimit {
            report.files[index].problems.append(.init(line: problem.line, reason: problem.reason))
        }
    }

    /// Scans the kind's main table with every column and counts the rows of each file.
    private func countRows(of listing: FileListing, _ context: SourceContext) throws(Diagnostic) -> [Int: Int]
    {
        let spec: TableSpec
        let snapshot: any TableSnapshot
        switch entry.kind {
        case .contacts:
            spec = ContactsSpec.contacts
            snapshot = ContactsSnapshot(part: .contacts, spec: spec, listing: listing, context: context)
        case .photos:
            spec = PhotosSpec.photos
            snapshot = PhotosSnapshot(
                listing: listing, context: context, assets: AssetTable(), zone: .machine)
        case .location:
            spec = LocationSpec.location
            snapshot = LocationSnapshot(spec: spec, listing: listing, context: context)
        }
        let scan = try snapshot.scan(ScanRequest(columns: ColumnMask(spec.columns.indices)))
        let chunk = ColumnChunk(spec: spec)
        var counts: [Int: Int] = [:]
        while try scan.next(into: chunk) {
            let ids = chunk.rowIDs
            for row in 0..<chunk.rowCount {
                let id = ids.integer(row)
                counts[entry.kind == .photos ? Int(id) : Int(id >> 44), default: 0] += 1
            }
        }
        return counts
    }
}
