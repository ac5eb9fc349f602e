internal import EscrowDiagnostics
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import EscrowTabular

/// One pass over the listed files, in the order asked for.
final class DocumentsScan: TableScan {
    private typealias Column = DocumentsSpec.Column
    private let snapshot: DocumentsSnapshot
    private let filter: RowFilter
    private let requested: [Column]
    /// Columns that terms test: those of names first, then those that need a look at the file.
    private let testedName: [Column]
    private let testedStatus: [Column]
    private let needsStatus: Bool
    private let order: [Int]?
    private var position = 0

    init(_ request: ScanRequest, of snapshot: DocumentsSnapshot) {
        self.snapshot = snapshot
        filter = RowFilter(request.predicates, spec: DocumentsSpec.documents)
        requested = request.columns.columns.compactMap(Column.init)
        let tested = filter.columns.columns.compactMap(Column.init).filter { $0 != .asset }
        testedName = tested.filter { !$0.needsStatus }
        testedStatus = tested.filter(\.needsStatus)
        needsStatus = (requested + tested).contains(where: \.needsStatus)
        let terms = request.order
        let isServed = terms.allSatisfy { Column(rawValue: $0.column).map { $0 != .asset } ?? false }
        order =
            terms.isEmpty || !isServed
            ? nil
            : ListedOrder.sorted(
                Array(snapshot.files.listing.files.indices), of: snapshot.files.listing.files.count, by: terms
            ) {
                snapshot.value(Column(rawValue: $0)!, $1)
            }
    }

    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        chunk.removeAll()
        while !chunk.isFull, position < snapshot.files.listing.files.count {
            let file = order?[position] ?? position
            position += 1
            guard testedName.allSatisfy({ admits($0, file) }), !needsStatus || snapshot.files.know(file),
                testedStatus.allSatisfy({ admits($0, file) })
            else { continue }
            for column in requested { append(column, file, to: chunk) }
            chunk.endRow(id: RowID.make(file: file, place: 0))
        }
        return chunk.rowCount > 0
    }

    private func admits(_ column: Column, _ file: Int) -> Bool {
        switch snapshot.value(column, file) {
        case .integer(let value): filter.admits(column.rawValue, integer: value)
        case .text(let text): filter.admits(column.rawValue, text: text)
        case .null: filter.admits(column.rawValue, text: nil)
        }
    }

    private func append(_ column: Column, _ file: Int, to chunk: ColumnChunk) {
        if column == .asset {
            let listing = snapshot.files.listing
            let type = DocumentMediaType.mimeType(listing.files[file].kind) ?? "application/octet-stream"
            chunk.append(
                snapshot.assets.offer(
                    path: listing.path(file), mediaType: type, from: snapshot.opener, at: listing.place(file)),
                to: column.rawValue)
            return
        }
        switch snapshot.value(column, file) {
        case .integer(let value): chunk.append(value, to: column.rawValue)
        case .text(let text): chunk.append(text, to: column.rawValue)
        case .null: break
        }
    }
}

extension DocumentsSnapshot {
    /// The value of any column but `asset`.
    func value(_ column: DocumentsSpec.Column, _ index: Int) -> FreeValue {
        if column.needsStatus, !files.know(index) { return .null }
        let listing = files.listing
        let file = listing.files[index]
        switch column {
        case .asset: return .null
        case .id: return .text(Array(StableID.name(listing.path(index)).utf8)[...])
        case .path: return .text(Array(listing.relativePath(index).utf8)[...])
        case .folder:
            guard file.directory >= 0, let name = folders[Int(file.directory)] else { return .null }
            return .text(name[...])
        case .filename: return .text(listing.nameBytes(index))
        case .fileExtension:
            let ending = FileCandidate(name: listing.name(index), folder: "", isRoot: false).ending
            return ending.isEmpty ? .null : .text(Array(ending.utf8)[...])
        case .mimeType:
            return DocumentMediaType.mimeType(file.kind).map { .text(Array($0.utf8)[...]) } ?? .null
        case .fileSize: return .integer(file.size)
        case .modificationDate:
            // A time outside the years that the text form can spell stands for the epoch, for the column has no null.
            let moment = Timestamp(microseconds: file.modified) ?? Timestamp(microseconds: 0)
            return moment.map { .text($0.iso8601Bytes[...]) } ?? .null
        case .creationDate: return files.birth(index).map { .text($0.iso8601Bytes[...]) } ?? .null
        }
    }
}

extension DocumentsSpec.Column {
    /// Whether the file must be looked at for the column; names are known from the folder.
    var needsStatus: Bool { self == .fileSize || self == .modificationDate || self == .creationDate }
}
