package import EscrowDatabaseFiles
package import EscrowDiagnostics
package import EscrowSchema
package import EscrowSourceFiles

/// A table over files: listing, opening, terms, the choice of columns, row ids and the telling of problems are done here.
///
/// The kind brings the table's spec, which of its columns the listing knows, and what makes rows of a file.
package struct FilesTable: TableSource {
    package struct File {
        /// Its absolute path. No message but a problem's place may hold it.
        package let path: String
        /// What ``FileChoice/classify(_:)`` said.
        package let kind: UInt8
        /// Its size when it was listed. Readers stop there, so that a file that grows cannot be read for ever.
        package let size: Int64
        /// Where files of the person's are offered to the plugin.
        package let assets: AssetTable
        /// Called for each part that was left out. A problem that is not partial means that nothing of the file was served.
        package let onProblem: (FileProblem) -> Void

        /// The name of the folder that it lies in.
        package var folder: String { path.split(separator: "/").dropLast().last.map(String.init) ?? "" }
        package var name: ArraySlice<UInt8> {
            let path = Array(path.utf8)
            return path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
        }
    }

    /// Makes a reader of a file. Tells `onProblem`, and returns nil, if it cannot be read.
    package typealias Open = @Sendable (_ descriptor: consuming Descriptor, _ file: File) -> (any RowReader)?
    /// Makes a reader of a database; nil for one that holds nothing of this table.
    package typealias OpenDatabase =
        @Sendable (_ database: DatabaseFile, _ file: File) throws(Diagnostic) -> (any RowReader)?

    /// What makes rows of a file.
    package enum Content: Sendable {
        /// Each file is one row.
        case row(@Sendable (_ files: ListedFiles, _ request: ScanRequest) -> any FileRows)
        /// Files are read from front to back.
        case stream(Open)
        /// Other programs' databases, read once for a statement; files that are none, from front to back.
        case databases(OpenDatabase, other: Open)
    }

    package let spec: TableSpec
    package let context: SourceContext
    package let listed: ListedColumns
    package let content: Content
    /// About how many bytes of a file make a row, for the plan; nil where each file is one.
    var bytesPerRow: Int64?
    /// Added to the files' numbers in row ids, where another listing's rows come before these.
    package var firstFile = 0
    private var mediaType: @Sendable (_ kind: UInt8) -> String? = { _ in nil }
    /// Whether files are listed by name alone, and orders by what is listed served.
    private var isByName = false

    /// Files that are read from front to back, row by row: the most frequent shape of a source.
    package init(
        _ spec: TableSpec, _ context: SourceContext, listed: ListedColumns = .init(), bytesPerRow: Int64,
        open: @escaping Open
    ) {
        self.spec = spec
        self.context = context
        self.listed = listed
        self.bytesPerRow = bytesPerRow
        content = .stream(open)
    }

    /// Files most of which are other programs' databases.
    package init(
        _ spec: TableSpec, _ context: SourceContext, bytesPerRow: Int64,
        other: @escaping Open = { _, _ in nil }, database: @escaping OpenDatabase
    ) {
        self.spec = spec
        self.context = context
        self.bytesPerRow = bytesPerRow
        listed = .init()
        content = .databases(database, other: other)
    }

    /// Files each of which is one row.
    ///
    /// - Parameter isByName: whether files are listed by name alone and looked at when they are needed; orders by what the listing
    ///   knows are served then.
    package init(
        _ spec: TableSpec, _ context: SourceContext, listed: ListedColumns, isByName: Bool,
        mediaType: @escaping @Sendable (_ kind: UInt8) -> String?,
        rows: @escaping @Sendable (_ files: ListedFiles, _ request: ScanRequest) -> any FileRows = { _, _ in
            ListedRows()
        }
    ) {
        self.spec = spec
        self.context = context
        self.listed = listed
        self.isByName = isByName
        self.mediaType = mediaType
        content = .row(rows)
    }

    /// Terms spare the building of rows, and those on what the listing knows spare files.
    package func offer(for request: ScanRequest) -> ScanOffer {
        ScanOffer(
            prunes: request.predicates.map {
                listed.columns[$0.column]?.isHandle != true && RowFilter.isUsable($0, spec: spec)
            },
            servesOrder: serves(request.order), estimatedRows: context.estimatedRows)
    }

    fileprivate func serves(_ order: [OrderTerm]) -> Bool {
        order.allSatisfy { isByName && listed.decides($0.column) }
    }

    /// A database has a log beside it, so its own state tells nothing.
    package func fingerprint() throws(Diagnostic) -> TableFingerprint? {
        if case .databases = content { return nil }
        return try context.fingerprint()
    }

    package func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        var kept: KeptFiles?
        if case .databases = content {
            kept = try context.shared.value(for: assets) { () throws(Diagnostic) in KeptFiles(try list()) }
        }
        let listing: FileListing
        if let kept { listing = kept.listing } else { listing = try list() }
        let files = ListedFiles(listing, context, assets, mediaType: mediaType)
        return FilesSnapshot(self, files, kept)
    }

    private func list() throws(Diagnostic) -> FileListing {
        if let bytesPerRow { return try context.list(bytesPerRow: bytesPerRow) }
        let listing = try context.list(leavesStatus: isByName)
        context.estimatedRows = listing.files.count
        return listing
    }
}

/// The files as they stood when a statement began.
final class FilesSnapshot: TableSnapshot {
    private let table: FilesTable
    private let files: ListedFiles
    private let kept: KeptFiles?

    init(_ table: FilesTable, _ files: ListedFiles, _ kept: KeptFiles?) {
        self.table = table
        self.files = files
        self.kept = kept
    }

    func groups() throws(Diagnostic) -> [RowGroup]? { kept == nil ? files.listing.groups() : nil }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan {
        let rows: any FileRows
        switch table.content {
        case .row(let make): rows = make(files, request)
        case .stream(let open): rows = StreamedFiles(files, open)
        case .databases(let open, let other): rows = CopiedDatabases(files, kept, open, other)
        }
        return FileScan(
            request, table.spec, files, table.listed, rows: rows,
            serving: table.serves(request.order) ? request.order : [],
            firstFile: table.firstFile)
    }
}

package final class ListedRows: FileRows, RowReader {
    package let isOneRowEach = true
    package init() {}
    package func open(_ file: Int, done: Int) -> (any RowReader)? { self }
    package func next(_ row: RowBuilder) -> Bool { true }
}

extension ListedFiles {
    fileprivate func file(_ index: Int) -> FilesTable.File {
        let (listed, path, context) = (listing.files[index], listing.path(index), self.context)
        return FilesTable.File(path: path, kind: listed.kind, size: listed.size, assets: assets) {
            context.onSkip(path, $0)
        }
    }
}

/// Files that are read from front to back, each time anew.
private final class StreamedFiles: FileRows {
    private let files: ListedFiles
    private let read: FilesTable.Open
    private var opener = FileOpener()

    init(_ files: ListedFiles, _ read: @escaping FilesTable.Open) {
        self.files = files
        self.read = read
    }

    func open(_ index: Int, done: Int) -> (any RowReader)? {
        switch opener.open(index, of: files.listing) {
        case .opened(let descriptor): return read(descriptor, files.file(index))
        case .problem(let problem):
            files.tell(index, problem)
            return nil
        }
    }
}

/// Databases, of which a statement has one copy for all its scans.
private final class CopiedDatabases: FileRows {
    private let files: ListedFiles
    private let kept: KeptFiles?
    private let read: FilesTable.OpenDatabase
    private let other: FilesTable.Open

    init(
        _ files: ListedFiles, _ kept: KeptFiles?, _ read: @escaping FilesTable.OpenDatabase,
        _ other: @escaping FilesTable.Open
    ) {
        self.files = files
        self.kept = kept
        self.read = read
        self.other = other
    }

    func open(_ index: Int, done: Int) -> (any RowReader)? {
        guard let kept else { return nil }
        do throws(Diagnostic) {
            switch kept.open(index) {
            case .database(let copy): return try read(try DatabaseFile(copy), files.file(index))
            case .other(let descriptor): return other(descriptor, files.file(index))
            case .problem(let problem): files.tell(index, problem)
            }
        } catch {
            files.tell(index, FileProblem(error))
        }
        return nil
    }
}
