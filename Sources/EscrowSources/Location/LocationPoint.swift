internal import EscrowSchema
internal import EscrowTabular

/// One place as a file tells it.
struct LocationPoint {
    var latitude: Double = .nan
    var longitude: Double = .nan
    var horizontalAccuracy: Double?
    var altitude: Double?
    var verticalAccuracy: Double?
    var timestamp: Timestamp?
    var speed: Double?
    var course: Double?
    var kind: StaticString = "record"
    var trackName: [UInt8]?
    var segment: Int64?
    /// Where it begins in the file.
    var offset: Int64 = 0

    /// Whether it is a place on earth; a point that is not is left out.
    var isValid: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }
}

/// Puts points into chunks as rows.
struct LocationRows {
    private typealias Column = LocationSpec.Column
    private let filter: RowFilter
    private let columns: ColumnMask
    private let tested: ColumnMask

    init(_ request: ScanRequest, filter: RowFilter) {
        self.filter = filter
        columns = request.columns
        tested = filter.columns
    }

    /// Whether anything but the file's name is needed of a point.
    func needs(_ column: LocationSpec.Column) -> Bool {
        columns.contains(column.rawValue) || tested.contains(column.rawValue)
    }

    /// Whether rows of a file can be wanted at all.
    func admitsFile(_ name: ArraySlice<UInt8>) -> Bool { filter.admits(Column.filename.rawValue, text: name) }

    /// Appends a point unless a term rules it out.
    func append(_ point: LocationPoint, file: Int, name: ArraySlice<UInt8>, to chunk: ColumnChunk) {
        guard real(point.latitude, .latitude, chunk), real(point.longitude, .longitude, chunk),
            time(point.timestamp, chunk), real(point.horizontalAccuracy, .horizontalAccuracy, chunk),
            real(point.altitude, .altitude, chunk), real(point.verticalAccuracy, .verticalAccuracy, chunk),
            real(point.speed, .speed, chunk), real(point.course, .course, chunk),
            kind(point.kind, chunk), text(point.trackName?[...], .trackName, chunk),
            integer(point.segment, .segment, chunk), text(name, .filename, chunk)
        else {
            chunk.abandonRow()
            return
        }
        chunk.endRow(id: Int64(file) << 44 | (point.offset & (1 << 44 - 1)))
    }

    private func real(_ value: Double?, _ column: Column, _ chunk: ColumnChunk) -> Bool {
        let index = column.rawValue
        if tested.contains(index), !filter.admits(index, real: value) { return false }
        if let value, columns.contains(index) { chunk.append(value, to: index) }
        return true
    }

    private func integer(_ value: Int64?, _ column: Column, _ chunk: ColumnChunk) -> Bool {
        let index = column.rawValue
        if tested.contains(index), !filter.admits(index, integer: value) { return false }
        if let value, columns.contains(index) { chunk.append(value, to: index) }
        return true
    }

    private func text(_ value: ArraySlice<UInt8>?, _ column: Column, _ chunk: ColumnChunk) -> Bool {
        let index = column.rawValue
        if tested.contains(index), !filter.admits(index, text: value) { return false }
        if let value, columns.contains(index) { chunk.append(value, to: index) }
        return true
    }

    private func kind(_ value: StaticString, _ chunk: ColumnChunk) -> Bool {
        guard needs(.kind) else { return true }
        return text(value.withUTF8Buffer { Array($0) }[...], .kind, chunk)
    }

    private func time(_ value: Timestamp?, _ chunk: ColumnChunk) -> Bool {
        guard needs(.timestamp) else { return true }
        return text(value.map { Array($0.iso8601.utf8)[...] }, .timestamp, chunk)
    }
}
