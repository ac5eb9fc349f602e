internal import EscrowDiagnostics
internal import EscrowSchema

/// `Location`, served from GPX files and location histories.
struct LocationTable: TableSource {
    let context: SourceContext

    var spec: TableSpec { LocationSpec.location }

    /// Terms spare the building of rows, and one on the file's name spares its reading. Points come in file order only.
    func offer(for request: ScanRequest) -> ScanOffer {
        ScanOffer(
            prunes: request.predicates.map { RowFilter.isUsable($0, spec: spec) },
            servesOrder: request.order.isEmpty, estimatedRows: context.estimatedRows)
    }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        let listing = try context.list(kind: .location)
        let bytes = listing.files.reduce(Int64(0)) { $0.addingReportingOverflow($1.size).partialValue }
        context.estimatedRows = max(listing.files.count, Int(clamping: bytes / 120))
        return LocationSnapshot(spec: spec, listing: listing, context: context)
    }
}

/// The location files as they stood when a statement began.
final class LocationSnapshot: TableSnapshot {
    private let spec: TableSpec
    private let listing: FileListing
    private let context: SourceContext

    init(spec: TableSpec, listing: FileListing, context: SourceContext) {
        self.spec = spec
        self.listing = listing
        self.context = context
    }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan {
        LocationScan(
            LocationRows(request, filter: RowFilter(request.predicates, spec: spec)), listing: listing,
            context: context)
    }
}

/// One pass over all points.
final class LocationScan: TableScan {
    private let rows: LocationRows
    private let listing: FileListing
    private let context: SourceContext
    private var opener = FileOpener()
    private var reader: (any PointReader)?
    private var nextFile = 0

    init(_ rows: LocationRows, listing: FileListing, context: SourceContext) {
        self.rows = rows
        self.listing = listing
        self.context = context
    }

    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        chunk.removeAll()
        while !chunk.isFull {
            guard let reader = reader ?? openNext() else { break }
            let file = nextFile - 1
            let name = listing.nameBytes(file)
            let more = reader.read { point in
                rows.append(point, file: file, name: name, to: chunk)
                return !chunk.isFull
            }
            self.reader = more ? reader : nil
        }
        return chunk.rowCount > 0
    }

    private func openNext() -> (any PointReader)? {
        while nextFile < listing.files.count {
            let index = nextFile
            nextFile += 1
            guard rows.admitsFile(listing.nameBytes(index)) else { continue }
            switch opener.open(index, of: listing) {
            case .problem(let problem): context.onSkip(listing.path(index), problem)
            case .opened(let file):
                let context = self.context
                let listing = self.listing
                let onProblem = { context.onSkip(listing.path(index), $0) }
                if let reader = LocationFiles.reader(file, of: listing.files[index], onProblem: onProblem) {
                    return reader
                }
            }
        }
        return nil
    }
}

/// Chooses the reader for a location file.
enum LocationFiles {
    /// The reader that the file's first bytes call for; nil, after a word to `onProblem`, if there is none.
    static func reader(
        _ file: consuming Descriptor, of listed: FileListing.File, onProblem: @escaping (FileProblem) -> Void
    ) -> (any PointReader)? {
        var head = [UInt8](repeating: 0, count: 256)
        guard let count = file.read(into: &head, range: 0..<head.count, at: 0) else {
            onProblem(FileProblem("cannot be read"))
            return nil
        }
        var start = head[..<count]
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
        switch start.trimmed.first {
        case nil:
            onProblem(FileProblem("the file is empty"))
            return nil
        case UInt8(ascii: "<"), 0xFE, 0xFF: return GPXReader(file, size: listed.size, onProblem: onProblem)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return HistoryReader(file, size: listed.size, onProblem: onProblem)
        default:
            onProblem(FileProblem("neither GPX nor a location history in JSON"))
            return nil
        }
    }
}
