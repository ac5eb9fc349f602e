internal import EscrowDiagnostics
internal import EscrowSchema

/// A table in one state, of which all rows or those of one group are read.
///
/// `@unchecked`: used by one access, which sets the group between its statements.
final class GroupedTable: TableSource, @unchecked Sendable {
    private let source: any TableSource
    private let state: any TableSnapshot
    /// The group whose rows are read next; nil for all.
    var group: Int?

    init(_ source: any TableSource, _ state: any TableSnapshot) {
        self.source = source
        self.state = state
    }

    var spec: TableSpec { source.spec }

    func offer(for request: ScanRequest) -> ScanOffer { source.offer(for: request) }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot { Snapshot(self) }

    private final class Snapshot: TableSnapshot {
        private let table: GroupedTable

        init(_ table: GroupedTable) { self.table = table }

        func offer(for request: ScanRequest) throws(Diagnostic) -> ScanOffer? {
            try table.state.offer(for: request)
        }

        func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan {
            var request = request
            request.group = table.group
            return try table.state.scan(request)
        }
    }
}
