package import EscrowDatabaseFiles
package import EscrowDiagnostics
package import EscrowSchema
package import EscrowSourceFiles

/// A table over files that other programs write, most of them databases: what is kept is served.
package struct KeptFilesTable: TableSource {
    /// A file at hand.
    package struct File {
        /// Its absolute path.
        package let path: String
        /// The name of the folder that it lies in.
        package let folder: String
        /// Where files of the person's are offered to the plugin.
        package let assets: AssetTable
        /// To be told of each part that was left out, or, unless it is partial, that nothing was served.
        package let onProblem: (FileProblem) -> Void
        /// Its own name.
        package var name: ArraySlice<UInt8> {
            let path = Array(path.utf8)
            return path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
        }
    }

    /// What a file holds, for a reader to choose by.
    package enum Content {
        case database(DatabaseFile)
        case bytes([UInt8])
    }

    /// Makes a reader; nil for a file that holds nothing of this table.
    package typealias Open =
        @Sendable (_ content: Content, _ file: File) throws(Diagnostic) -> (any RowReader)?

    package let spec: TableSpec
    package let context: SourceContext
    /// About how many bytes of a file make a row, for the plan.
    package let bytesPerRow: Int64
    /// Added to the files' numbers in row ids, where another listing's rows come before these.
    package var firstFile = 0
    package let open: Open
    /// Makes a reader of a file that is no database, from front to back; where there is none, such a file comes as bytes.
    package var openStream:
        (@Sendable (_ descriptor: SharedDescriptor, _ size: Int64, _ file: File) -> (any RowReader)?)?

    package init(_ spec: TableSpec, _ context: SourceContext, bytesPerRow: Int64, open: @escaping Open) {
        self.spec = spec
        self.context = context
        self.bytesPerRow = bytesPerRow
        self.open = open
    }

    /// Terms spare the building of rows. Rows come in the files' order only.
    package func offer(for request: ScanRequest) -> ScanOffer {
        context.offerInFileOrder(request, spec: spec)
    }

    package func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        let streams = openStream != nil
        let shared = try context.shared.value(for: assets) { () throws(Diagnostic) in
            KeptFiles(try context.list(bytesPerRow: bytesPerRow), streams: streams)
        }
        let files = shared.streams == streams ? shared : KeptFiles(shared.listing, streams: streams)
        return KeptFilesSnapshot(self, files, assets)
    }
}

/// The files as they stood when the statement first read them.
final class KeptFilesSnapshot: TableSnapshot {
    let table: KeptFilesTable
    let files: KeptFiles
    let assets: AssetTable

    init(_ table: KeptFilesTable, _ files: KeptFiles, _ assets: AssetTable) {
        self.assets = assets
        self.table = table
        self.files = files
    }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan { KeptFilesScan(request, of: self) }
}

/// One pass over the files.
final class KeptFilesScan: TableScan {
    private let request: ScanRequest
    private let filter: RowFilter
    private let snapshot: KeptFilesSnapshot
    private var reader: (any RowReader)?
    private var nextFile = 0
    private var row: RowBuilder?

    init(_ request: ScanRequest, of snapshot: KeptFilesSnapshot) {
        self.request = request
        self.snapshot = snapshot
        filter = RowFilter(request.predicates, spec: snapshot.table.spec)
    }

    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        chunk.removeAll()
        let row = RowBuilder.aim(&row, at: chunk, request, filter, spec: snapshot.table.spec)
        while !chunk.isFull {
            guard let reader = reader ?? openNext() else { break }
            self.reader = reader
            if reader.next(row) {
                row.end(file: snapshot.table.firstFile + nextFile - 1)
            } else {
                row.restart()
                self.reader = nil
            }
        }
        return chunk.rowCount > 0
    }

    private func openNext() -> (any RowReader)? {
        let listing = snapshot.files.listing
        let context = snapshot.table.context
        while nextFile < listing.files.count {
            let index = nextFile
            nextFile += 1
            let path = listing.path(index)
            let folder = path.split(separator: "/").dropLast().last.map(String.init) ?? ""
            let file = KeptFilesTable.File(path: path, folder: folder, assets: snapshot.assets) {
                context.onSkip(path, $0)
            }
            do throws(Diagnostic) {
                let content: KeptFilesTable.Content
                switch snapshot.files.content(index) {
                case .problem(let problem):
                    file.onProblem(problem)
                    continue
                case .bytes(let bytes): content = .bytes(bytes)
                case .stream(let descriptor, let size):
                    if let reader = snapshot.table.openStream?(descriptor, size, file) { return reader }
                    continue
                case .database(let copy): content = .database(try DatabaseFile(copy))
                }
                if let reader = try snapshot.table.open(content, file) { return reader }
            } catch {
                file.onProblem(FileProblem(error))
            }
        }
        return nil
    }
}
