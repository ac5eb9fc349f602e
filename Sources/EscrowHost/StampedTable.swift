import EscrowDiagnostics
import EscrowSchema

/// A table that can tell whether its files are as they were.
struct StampedTable: TableSource {
    private let source: any TableSource
    private let roots: [String]

    /// Kinds whose rows come out of the files below their paths, and out of nothing else. The rows of other kinds are copied
    /// for each query anew.
    private static let selfContained: Set<String> = ["contacts", "location", "photos"]

    /// Wraps a table whose sources lie at some paths.
    init(_ source: any TableSource, roots: [String]) {
        self.source = source
        self.roots = roots
    }

    var spec: TableSpec { source.spec }

    func offer(for request: ScanRequest) -> ScanOffer { source.offer(for: request) }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        try source.snapshot(assets: assets)
    }

    func fingerprint() throws(Diagnostic) -> TableFingerprint? {
        guard Self.selfContained.contains(spec.sourceKind) else { return nil }
        var stamp = FolderStamp()
        for root in roots { stamp.add(root) }
        return stamp.settled.map { TableFingerprint($0) }
    }
}
