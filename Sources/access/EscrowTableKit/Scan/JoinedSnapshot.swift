package import EscrowDiagnostics
package import EscrowSchema

/// The rows of one snapshot, then those of another: two listings, one table. The ids of the second's rows come behind those of the
/// first.
package final class JoinedSnapshot: TableSnapshot {
    private let first: any TableSnapshot
    private let second: any TableSnapshot

    package init(first: any TableSnapshot, second: any TableSnapshot) {
        self.first = first
        self.second = second
    }

    package func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan {
        Scan(first: try first.scan(request), second: try second.scan(request))
    }

    private final class Scan: TableScan {
        private var first: (any TableScan)?
        private let second: any TableScan

        init(first: any TableScan, second: any TableScan) {
            self.first = first
            self.second = second
        }

        func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
            if let first {
                if try first.next(into: chunk) { return true }
                self.first = nil
            }
            return try second.next(into: chunk)
        }

        func omit(_ column: Int) {
            first?.omit(column)
            second.omit(column)
        }
    }
}
