internal import EscrowFormats
internal import EscrowTabular

/// An entry of `timelineObjects`, as Google Takeout's monthly files of the Semantic Location History have them: a visit
/// (`placeVisit`), or a way from one place to another (`activitySegment`).
///
/// `simplifiedRawPath` within an entry holds places that were measured, which are read one by one. The stops of a bus and
/// the corners of a way that was guessed (`transitPath`, `waypointPath`) have no times, and are passed over.
struct HistoryTimeline {
    /// The number of brackets that are open within the entry itself.
    private let depth: Int
    private var start: Timestamp?
    private var end: Timestamp?
    private var visit: LocationPoint?
    private var from: LocationPoint?
    private var to: LocationPoint?

    /// An entry whose bracket has just been read.
    init(depth: Int) { self.depth = depth }

    /// Reads on. Which member is at hand is told by the number of open brackets.
    ///
    /// - Returns: true within the array of measured places, after whose end this is to be called again; false at the
    ///   entry's end.
    mutating func read(_ tokens: inout JSONTokenizer) throws(JSONTokenizer.Failure) -> Bool {
        while true {
            switch try tokens.next() {
            case .endObject where tokens.depth < depth: return false
            case .name:
                let name = String(decoding: tokens.text, as: UTF8.self)
                let level = tokens.depth - depth
                let value = try tokens.next()
                if level == 2, name == "points", value == .beginArray { return true }
                guard value == .beginObject else {
                    try tokens.skip(value)
                    continue
                }
                switch (level, name) {
                // Their members come next.
                case (0, "placeVisit"), (0, "activitySegment"), (1, "simplifiedRawPath"): break
                case (1, "duration"): try duration(&tokens)
                case (1, "location"): visit = try Self.place("visit", &tokens)
                case (1, "startLocation"): from = try Self.place("activity", &tokens)
                case (1, "endLocation"): to = try Self.place("activity", &tokens)
                default: try tokens.skip(value)
                }
            case .end: return false
            default: break
            }
        }
    }

    private mutating func duration(_ tokens: inout JSONTokenizer) throws(JSONTokenizer.Failure) {
        var times: [String: Timestamp] = [:]
        try tokens.scalars { name, value in
            switch name {
            case "startTimestamp", "endTimestamp": times[name] = value.time
            // Until 2022.
            case "startTimestampMs", "endTimestampMs": times[name] = value.milliseconds
            default: break
            }
        }
        start = times["startTimestamp"] ?? times["startTimestampMs"]
        end = times["endTimestamp"] ?? times["endTimestampMs"]
    }

    private static func place(
        _ kind: StaticString, _ tokens: inout JSONTokenizer
    ) throws(JSONTokenizer.Failure) -> LocationPoint {
        var point = LocationPoint()
        point.kind = kind
        point.offset = tokens.offset
        try tokens.scalars { name, value in
            switch name {
            case "latitudeE7": point.latitude = value.degreesE7
            case "longitudeE7": point.longitude = value.degreesE7
            case "accuracyMetres": point.horizontalAccuracy = value.nonNegative
            case "name" where !value.isNumber:
                var text: [UInt8] = []
                TextRepair.append(value.text[...].trimmed, to: &text)
                point.trackName = text.isEmpty ? nil : text
            default: break
            }
        }
        return point
    }

    /// A measured place, whose bracket has just been read.
    static func measured(_ tokens: inout JSONTokenizer) throws(JSONTokenizer.Failure) -> LocationPoint {
        var point = LocationPoint()
        point.kind = "path"
        var milliseconds: Timestamp?
        try tokens.scalars { name, value in
            switch name {
            case "latE7": point.latitude = value.degreesE7
            case "lngE7": point.longitude = value.degreesE7
            case "accuracyMeters": point.horizontalAccuracy = value.nonNegative
            case "timestamp": point.timestamp = value.time
            case "timestampMs": milliseconds = value.milliseconds
            default: break
            }
        }
        point.timestamp = point.timestamp ?? milliseconds
        return point
    }

    /// The entry's own places with their times, in the order of time.
    func places() -> [LocationPoint] {
        [(visit, start), (from, start), (to, end)].compactMap { place, time in
            var place = place
            place?.timestamp = time
            return place
        }
    }
}
