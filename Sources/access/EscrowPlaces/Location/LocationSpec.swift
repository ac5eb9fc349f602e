internal import EscrowSchema
internal import EscrowTabular

/// The table that tracks serve.
enum LocationSpec {
    enum Column: Int, CaseIterable {
        case latitude, longitude, horizontalAccuracy, altitude, verticalAccuracy, timestamp, speed, course
        case kind, trackName, segment, filename
    }

    static let location = TableSpec(
        name: "Location", sourceKind: "location",
        summary: "One row is one place where the device was, from a track or a location history.",
        columns: [
            ColumnSpec(
                "latitude", .real, nullable: false, "Degrees north of the equator, WGS 84, -90 to 90."),
            ColumnSpec(
                "longitude", .real, nullable: false, "Degrees east of Greenwich, WGS 84, -180 to 180."),
            ColumnSpec("horizontalAccuracy", .real, "Radius of uncertainty in metres, if the file says."),
            ColumnSpec("altitude", .real, "Metres above sea level."),
            ColumnSpec("verticalAccuracy", .real, "Uncertainty of the altitude in metres, if the file says."),
            ColumnSpec("timestamp", .timestamp, "When the device was there."),
            ColumnSpec("speed", .real, "Metres per second."),
            ColumnSpec("course", .real, "Direction of travel in degrees clockwise from north, 0 to 360."),
            ColumnSpec(
                "kind", .text, nullable: false,
                "`track`, `route` or `waypoint` in a track file; `record`, `path`, `visit` or `activity` in a history."
            ),
            ColumnSpec("trackName", .text, "The name of the track or route, or the waypoint's own."),
            ColumnSpec(
                "segment", .integer,
                "The number of the unbroken stretch within the file, from 1; null for single points."),
            ColumnSpec(
                "filename", .text, nullable: false, cost: .free,
                "The name of the file that the point is from."),
        ],
        examples: [
            "SELECT timestamp, latitude, longitude FROM Location ORDER BY timestamp DESC LIMIT 1",
            "SELECT substr(timestamp, 1, 10) AS day, count(*) AS points FROM Location WHERE kind = 'track' GROUP BY day",
            "SELECT DISTINCT round(latitude, 2) AS lat, round(longitude, 2) AS lon FROM Location",
        ])
}
