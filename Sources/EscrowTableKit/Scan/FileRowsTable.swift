package import EscrowDiagnostics
package import EscrowSchema
package import EscrowSourceFiles
internal import EscrowTabular

/// A table over files each of which is read from front to back, row by row: the most frequent shape of a source.
///
/// The kind brings the table's spec and a function that makes a ``RowReader`` for an open file; listing, opening, terms,
/// the choice of columns, row ids and the telling of problems are done here.
package struct FileRowsTable: TableSource {
    /// What the listing knows of a file, for columns that every row of it shares. A term on one spares the reading of
    /// whole files.
    package enum FileColumn: Sendable {
        /// The file's own name.
        case name
        /// The path below the source's folder.
        case path
        /// The size in bytes.
        case size
        /// The time of the last change.
        case modified
    }

    /// A file that is to be read.
    package struct File {
        /// Its absolute path. No message but a problem's place may hold it.
        package let path: String
        /// What ``FileChoice/classify(_:)`` said.
        package let kind: UInt8
        /// Its size when it was listed: no more is to be read, so that a file that grows comes to an end.
        package let size: Int64
        /// The columns that readers may restrict themselves to.
        package let wanted: ColumnMask
        /// To be told of each part that was left out, or, unless it is partial, that nothing was served.
        package let onProblem: (FileProblem) -> Void
    }

    /// Makes a reader; nil, after a word to `onProblem`, for a file that cannot be read.
    package typealias Open = @Sendable (_ descriptor: consuming Descriptor, _ file: File) -> (any RowReader)?

    package let spec: TableSpec
    package let context: SourceContext
    /// The columns that the listing knows, by position.
    package let fileColumns: [Int: FileColumn]
    /// About how many bytes of a file make a row, for the plan.
    package let bytesPerRow: Int64
    package let open: Open

    package init(
        _ spec: TableSpec, _ context: SourceContext, fileColumns: [Int: FileColumn] = [:], bytesPerRow: Int64,
        open: @escaping Open
    ) {
        self.spec = spec
        self.context = context
        self.fileColumns = fileColumns
        self.bytesPerRow = bytesPerRow
        self.open = open
    }

    /// Terms spare the building of rows, and those on the listing's columns spare files. Rows come in the files' order
    /// only.
    package func offer(for request: ScanRequest) -> ScanOffer {
        context.offerInFileOrder(request, spec: spec)
    }

    package func fingerprint() throws(Diagnostic) -> TableFingerprint? { try context.fingerprint() }

    package func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        FileRowsSnapshot(self, listing: try context.list(bytesPerRow: bytesPerRow))
    }
}

/// The files as they stood when a statement began.
final class FileRowsSnapshot: TableSnapshot {
    let table: FileRowsTable
    let listing: FileListing

    init(_ table: FileRowsTable, listing: FileListing) {
        self.table = table
        self.listing = listing
    }

    func groups() throws(Diagnostic) -> [RowGroup]? { listing.groups() }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan { FileRowsScan(request, of: self) }
}

/// One pass over the files.
final class FileRowsScan: TableScan {
    private let request: ScanRequest
    private let filter: RowFilter
    private let snapshot: FileRowsSnapshot
    private let fileColumns: [(position: Int, column: FileRowsTable.FileColumn)]
    private var opener = FileOpener()
    private var reader: (any RowReader)?
    private var shared: [(position: Int, value: FileValue)] = []
    private var nextFile: Int
    /// The position behind the last file.
    private let end: Int
    private var row: RowBuilder?

    /// A value that all rows of a file have.
    private enum FileValue {
        case text(ArraySlice<UInt8>)
        case integer(Int64)
        case null
    }

    init(_ request: ScanRequest, of snapshot: FileRowsSnapshot) {
        self.request = request
        self.snapshot = snapshot
        let filter = RowFilter(request.predicates, spec: snapshot.table.spec)
        self.filter = filter
        nextFile = request.group ?? 0
        end = request.group.map { $0 + 1 } ?? snapshot.listing.files.count
        fileColumns = snapshot.table.fileColumns.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            .filter { request.columns.contains($0.position) || filter.columns.contains($0.position) }
    }

    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        chunk.removeAll()
        let row = RowBuilder.aim(&row, at: chunk, request, filter, spec: snapshot.table.spec)
        while !chunk.isFull {
            guard let reader = reader ?? openNext() else { break }
            self.reader = reader
            guard reader.next(row) else {
                row.restart()
                self.reader = nil
                continue
            }
            for (position, value) in shared {
                switch value {
                case .text(let text): row.set(position, text)
                case .integer(let value): row.set(position, value)
                case .null: break
                }
            }
            row.end(file: nextFile - 1)
        }
        return chunk.rowCount > 0
    }

    func omit(_ column: Int) { row?.omit(column) }

    private func openNext() -> (any RowReader)? {
        let listing = snapshot.listing
        let context = snapshot.table.context
        while nextFile < end {
            let index = nextFile
            nextFile += 1
            shared = fileColumns.map { ($0.position, value($0.column, index)) }
            guard shared.allSatisfy({ admits($0.position, $0.value) }) else { continue }
            let path = listing.path(index)
            switch opener.open(index, of: listing) {
            case .problem(let problem): context.onSkip(path, problem)
            case .opened(let descriptor):
                let listed = listing.files[index]
                let file = FileRowsTable.File(
                    path: path, kind: listed.kind, size: listed.size,
                    wanted: ColumnMask(bits: request.columns.bits | filter.columns.bits)
                ) { context.onSkip(path, $0) }
                if let reader = snapshot.table.open(descriptor, file) { return reader }
            }
        }
        return nil
    }

    private func value(_ column: FileRowsTable.FileColumn, _ index: Int) -> FileValue {
        let listing = snapshot.listing
        switch column {
        case .name: return .text(listing.nameBytes(index))
        case .path: return .text(Array(listing.relativePath(index).utf8)[...])
        case .size: return .integer(listing.files[index].size)
        case .modified:
            guard let time = Timestamp(microseconds: listing.files[index].modified) else { return .null }
            return .text(Array(time.iso8601.utf8)[...])
        }
    }

    private func admits(_ position: Int, _ value: FileValue) -> Bool {
        switch value {
        case .text(let text): filter.admits(position, text: text)
        case .integer(let value): filter.admits(position, integer: value)
        case .null: filter.admits(position, text: nil)
        }
    }
}
