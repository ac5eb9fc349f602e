internal import EscrowDiagnostics
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import Glibc

/// `SensorStates` from recorders, then from the desktop's bus: what was written down, and what is so now.
struct SensorTable: TableSource {
    private let context: SourceContext
    /// Over all sources: what it offers holds for those of the bus as well.
    private let recorders: FilesTable

    init(_ context: SourceContext) {
        self.context = context
        recorders = Self.recorders(context)
    }

    private static func recorders(_ context: SourceContext) -> FilesTable {
        FilesTable(
            SensorSpec.states, context, bytesPerRow: 150,
            other: { _, file in
                file.onProblem(FileProblem(Diagnostic(.notADatabase, "not an SQLite database")))
                return nil
            },
            database: { database, file throws(Diagnostic) in try Recorder.states(database, file) })
    }

    var spec: TableSpec { SensorSpec.states }

    func offer(for request: ScanRequest) -> ScanOffer { recorders.offer(for: request) }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        let buses = context.roots.filter(Self.isSocket)
        guard !buses.isEmpty else { return try recorders.snapshot(assets: assets) }
        let files = context.roots.filter { !buses.contains($0) }
        // Behind every number that a recorder can have.
        let first = files.isEmpty ? 0 : FileListing.fileLimit - SourceContext.sourceLimit
        let desktop = DesktopStates(spec, context.narrowed(to: buses), firstFile: first)
        guard !files.isEmpty else { return desktop }
        return JoinedSnapshot(
            first: try Self.recorders(context.narrowed(to: files)).snapshot(assets: assets), second: desktop)
    }

    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
}
