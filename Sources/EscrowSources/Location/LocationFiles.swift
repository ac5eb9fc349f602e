internal import EscrowSchema

/// `Location`, served from tracks and location histories.
enum LocationFiles {
    /// The table over a context's files.
    static func table(_ context: SourceContext) -> FileRowsTable {
        FileRowsTable(
            LocationSpec.location, context, fileColumns: [LocationSpec.Column.filename.rawValue: .name],
            bytesPerRow: 120
        ) { descriptor, file in
            reader(descriptor, of: file).map(PointRows.init)
        }
    }

    /// The reader that the file's content calls for, whatever its name; nil, after a word to `onProblem`, if there is
    /// none.
    private static func reader(_ descriptor: consuming Descriptor, of file: FileRowsTable.File)
        -> (any PointReader)?
    {
        var head = [UInt8](repeating: 0, count: 4 << 10)
        guard let count = descriptor.read(into: &head, range: 0..<head.count, at: 0) else {
            file.onProblem(FileProblem("cannot be read"))
            return nil
        }
        switch LocationFormat(head: head[..<count]) {
        case .empty:
            file.onProblem(FileProblem("the file is empty"))
            return nil
        case .unknown:
            file.onProblem(FileProblem(LocationFormat.unknownReason))
            return nil
        case .ownTracks:
            return OwnTracksReader(SharedDescriptor(descriptor), size: file.size, onProblem: file.onProblem)
        case .xml:
            let shared = SharedDescriptor(descriptor)
            if LocationFormat.isKML(shared, size: file.size) {
                return KMLReader(shared, size: file.size, onProblem: file.onProblem)
            }
            return GPXReader(shared, size: file.size, onProblem: file.onProblem)
        case .json:
            let shared = SharedDescriptor(descriptor)
            switch LocationFormat.jsonContent(shared, size: file.size) {
            case .geoJSON: return GeoJSONReader(shared, size: file.size, onProblem: file.onProblem)
            case .ownTracks:
                return OwnTracksReader(shared, size: file.size, onProblem: file.onProblem)
            case .history: return HistoryReader(shared, size: file.size, onProblem: file.onProblem)
            }
        }
    }
}

/// The points of a file as rows.
private final class PointRows: RowReader {
    private typealias Column = LocationSpec.Column
    private let points: any PointReader

    init(_ points: any PointReader) { self.points = points }

    func next(_ row: RowBuilder) -> Bool {
        guard let point = points.next() else { return false }
        row.place = point.offset
        row.set(Column.latitude.rawValue, point.latitude)
        row.set(Column.longitude.rawValue, point.longitude)
        row.set(Column.timestamp.rawValue, point.timestamp)
        row.set(Column.horizontalAccuracy.rawValue, point.horizontalAccuracy)
        row.set(Column.altitude.rawValue, point.altitude)
        row.set(Column.verticalAccuracy.rawValue, point.verticalAccuracy)
        row.set(Column.speed.rawValue, point.speed)
        row.set(Column.course.rawValue, point.course)
        if row.wants(Column.kind.rawValue) {
            row.set(Column.kind.rawValue, point.kind.withUTF8Buffer { Array($0) }[...])
        }
        row.set(Column.trackName.rawValue, point.trackName?[...])
        row.set(Column.segment.rawValue, point.segment)
        return true
    }
}
