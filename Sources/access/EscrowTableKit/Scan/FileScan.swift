package import EscrowDiagnostics
package import EscrowSchema
internal import EscrowSourceFiles

/// Makes the rows of a scan, file by file.
package protocol FileRows: AnyObject {
    /// Whether each file is one row, of whatever it holds.
    var isOneRowEach: Bool { get }
    /// Whether files must have been looked at before they are opened.
    var needsStatus: Bool { get }
    /// Makes a reader of a file; nil for one without rows, of which the owner is told.
    ///
    /// - Parameter done: how many files the scan has passed.
    func open(_ file: Int, done: Int) -> (any RowReader)?
    /// Is told at the end how many files the scan has passed.
    func end(done: Int)
}

extension FileRows {
    package var isOneRowEach: Bool { false }
    package var needsStatus: Bool { false }
    package func end(done: Int) {}
}

/// An order of files that only their content tells.
package protocol FileLead: AnyObject {
    /// Reads some of what it must know before the first file; false as long as there is more.
    ///
    /// - Parameter admits: whether terms leave a file in, as far as the listing tells.
    func prepare(admits: (_ file: Int) -> Bool) -> Bool
    /// The next file; nil behind the last.
    func next() -> Int?
}

/// One pass over listed files: the scan of every table of files.
///
/// A folder that terms rule out is left alone as a whole, a file is looked at only if its size, time or content matters, and
/// opened only if no term on what the listing knows rules it out.
package final class FileScan: TableScan {
    /// A column that is asked for or tested.
    private typealias Used = (position: Int, column: ListedColumn)
    private let request: ScanRequest
    private let spec: TableSpec
    private let files: ListedFiles
    private let rows: any FileRows
    private let firstFile: Int
    private let filter: RowFilter
    private let columns: [Used]
    /// Columns that terms test, those first that cost least.
    private let testedFolder: [Used]
    private let testedName: [Used]
    private let testedStatus: [Used]
    private let needsStatus: Bool
    /// What terms on a folder said, by folder.
    private var verdicts: [Bool?]
    private let lead: (any FileLead)?
    private let order: [Int]?
    /// How many files were passed, and where the pass ends.
    private var position: Int
    private let end: Int
    private var file = 0
    private var reader: (any RowReader)?
    /// The owner knows that the file has values too long to be served.
    private var hasToldLongValue = false
    /// What all rows of the file have.
    private var shared: [(position: Int, value: ListedValue)] = []
    private var row: RowBuilder?

    /// - Parameters:
    ///   - serving: the order to come in, by columns that the listing knows.
    ///   - firstFile: added to the files' numbers in row ids, where another listing's rows come before these.
    package init(
        _ request: ScanRequest, _ spec: TableSpec, _ files: ListedFiles, _ listed: ListedColumns,
        rows: any FileRows, serving order: [OrderTerm] = [], lead: (any FileLead)? = nil, firstFile: Int = 0
    ) {
        self.request = request
        self.spec = spec
        self.files = files
        self.rows = rows
        self.lead = lead
        self.firstFile = firstFile
        let filter = RowFilter(
            request.predicates.filter { listed.columns[$0.column]?.isHandle != true }, spec: spec)
        self.filter = filter
        let used: [Used] = listed.columns.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        columns = used.filter {
            request.columns.contains($0.position) || filter.columns.contains($0.position)
        }
        let tested = columns.filter { filter.columns.contains($0.position) }
        testedFolder = tested.filter(\.column.isOfFolder)
        testedStatus = tested.filter(\.column.needsStatus)
        testedName = tested.filter { !$0.column.isOfFolder && !$0.column.needsStatus }
        needsStatus =
            rows.needsStatus || columns.contains(where: \.column.needsStatus)
            || order.contains { listed.columns[$0.column]?.needsStatus ?? false }
        verdicts = Array(repeating: nil, count: testedFolder.isEmpty ? 0 : files.listing.directories.count)
        self.order = order.isEmpty ? nil : files.sorted(by: order, listed)
        position = request.group ?? 0
        end = request.group.map { $0 + 1 } ?? files.listing.files.count
    }

    deinit { rows.end(done: position) }

    package func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        chunk.removeAll()
        if let lead, !lead.prepare(admits: admits) { return true }
        let row = RowBuilder.aim(&row, at: chunk, request, filter, spec: spec)
        while !chunk.isFull {
            guard let reader else {
                guard let file = nextFile() else { break }
                reader = open(file)
                // Files may be ruled out without end as well.
                if reader == nil { chunk.passRecord() }
                continue
            }
            guard try reader.next(row) else {
                row.restart()
                self.reader = nil
                // It may have been read from end to end in vain.
                chunk.lookAtClock()
                continue
            }
            if rows.isOneRowEach {
                for (position, column) in columns { files.set(column, at: position, of: file, in: row) }
                self.reader = nil
            } else {
                for (position, value) in shared { row.set(position, value) }
            }
            row.end(file: firstFile + file)
            if row.hasLongValue { tellLongValue(row) }
        }
        return chunk.isFull || chunk.rowCount > 0
    }

    package func omit(_ column: Int) { row?.omit(column) }

    /// Makes the file the one at hand; nil if it has no rows, or terms rule it out.
    private func open(_ file: Int) -> (any RowReader)? {
        guard admits(file) else { return nil }
        self.file = file
        hasToldLongValue = false
        if !rows.isOneRowEach { shared = columns.map { ($0.position, files.value($0.column, file)) } }
        return rows.open(file, done: position)
    }

    private func tellLongValue(_ row: RowBuilder) {
        row.hasLongValue = false
        guard !hasToldLongValue else { return }
        hasToldLongValue = true
        files.tell(file, .longValue)
    }

    private func nextFile() -> Int? {
        if let lead { return lead.next() }
        guard position < end else { return nil }
        defer { position += 1 }
        return order?[position] ?? position
    }

    /// Whether a file is to be read, by what is known without.
    private func admits(_ file: Int) -> Bool {
        admitsFolder(of: file) && meets(testedName, file) && (!needsStatus || files.know(file))
            && meets(testedStatus, file)
    }

    private func meets(_ tested: [Used], _ file: Int) -> Bool {
        tested.allSatisfy { filter.admits($0.position, files.value($0.column, file)) }
    }

    private func admitsFolder(of file: Int) -> Bool {
        guard !testedFolder.isEmpty else { return true }
        let folder = Int(files.listing.files[file].directory)
        guard folder >= 0 else { return meets(testedFolder, file) }
        if let verdict = verdicts[folder] { return verdict }
        let verdict = meets(testedFolder, file)
        verdicts[folder] = verdict
        return verdict
    }
}
