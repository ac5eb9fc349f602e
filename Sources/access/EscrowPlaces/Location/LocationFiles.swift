internal import EscrowFiles
internal import EscrowSourceFiles
internal import EscrowTableKit

/// `Location`, served from tracks and location histories.
enum LocationFiles {
    /// The table over a context's files.
    static func table(_ context: SourceContext) -> FilesTable {
        FilesTable(
            LocationSpec.location, context, listed: .init([LocationSpec.Column.filename: .filename]),
            bytesPerRow: 120
        ) { descriptor, file in
            reader(descriptor, of: file).map(PointRows.init)
        }
    }

    /// The reader for the content of a file, whatever its name. Tells `onProblem`, and returns nil, if there is none.
    private static func reader(_ descriptor: consuming Descriptor, of file: FilesTable.File)
        -> (any PointReader)?
    {
        guard let head = descriptor.bytes(at: 0, count: 4 << 10) else {
            file.onProblem(FileProblem("cannot be read"))
            return nil
        }
        return reader(SharedDescriptor(descriptor), head[...], size: file.size, file.onProblem)
    }

    /// The same by the first bytes.
    static func reader(
        _ file: SharedDescriptor, _ head: ArraySlice<UInt8>, size: Int64,
        _ onProblem: @escaping (FileProblem) -> Void
    ) -> (any PointReader)? {
        switch LocationFormat(head: head) {
        case .empty:
            onProblem(FileProblem("the file is empty"))
            return nil
        case .unknown, .zip:
            onProblem(FileProblem(LocationFormat.unknownReason))
            return nil
        case .ownTracks: return OwnTracksReader(file, size: size, onProblem: onProblem)
        case .xml:
            if LocationFormat.isKML(file, size: size) {
                return KMLReader(file, size: size, onProblem: onProblem)
            }
            return GPXReader(file, size: size, onProblem: onProblem)
        case .json:
            switch LocationFormat.jsonContent(file, size: size) {
            case .geoJSON: return GeoJSONReader(file, size: size, onProblem: onProblem)
            case .ownTracks: return OwnTracksReader(file, size: size, onProblem: onProblem)
            case .history: return HistoryReader(file, size: size, onProblem: onProblem)
            }
        }
    }
}

private final class PointRows: RowReader {
    private typealias Column = LocationSpec.Column
    private let points: any PointReader

    init(_ points: any PointReader) { self.points = points }

    func next(_ row: RowBuilder) -> Bool {
        guard let point = points.next() else { return false }
        row.place = point.offset
        row.set(Column.latitude, point.latitude)
        row.set(Column.longitude, point.longitude)
        row.set(Column.timestamp, point.timestamp)
        row.set(Column.horizontalAccuracy, point.horizontalAccuracy)
        row.set(Column.altitude, point.altitude)
        row.set(Column.verticalAccuracy, point.verticalAccuracy)
        row.set(Column.speed, point.speed)
        row.set(Column.course, point.course)
        row.set(Column.kind, point.kind.withUTF8Buffer { Array($0) }[...])
        row.set(Column.trackName, point.trackName?[...])
        row.set(Column.segment, point.segment)
        return true
    }
}
