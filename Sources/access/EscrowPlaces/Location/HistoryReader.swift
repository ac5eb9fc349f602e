internal import EscrowFormats
internal import EscrowSourceFiles
internal import EscrowTabular

/// Reads a location history as Google's export writes it, as a stream: `Records.json` (`locations`), the monthly files beside
/// it (`timelineObjects`), and the later `Timeline.json` of an Android phone (`rawSignals` and `semanticSegments`) or of an
/// iPhone (the segments alone, as an array).
final class HistoryReader: PointReader {
    private enum Part { case records, signals, segments, timeline }

    private let file: SharedDescriptor
    private let size: Int64
    private var tokens: JSONTokenizer
    private let onProblem: (FileProblem) -> Void
    private var part: Part?
    private var started = false
    private var known = 0
    private var invalid = 0
    private var segment: Int64 = 0
    /// The segment or entry at hand, and whether its path is, whose points are read one by one.
    private var open = HistorySegment(offset: 0)
    private var entry = HistoryTimeline(depth: 0)
    private var inPath = false
    /// The places of a segment that has ended, the last first; few.
    private var ready: [LocationPoint] = []

    init(_ file: SharedDescriptor, size: Int64, onProblem: @escaping (FileProblem) -> Void) {
        self.file = file
        self.size = size
        tokens = JSONTokenizer(file, size: size)
        self.onProblem = onProblem
    }

    func next() -> LocationPoint? {
        do {
            while let point = try nextPoint() {
                if point.isValid { return point }
                invalid += 1
            }
            if invalid > 0 {
                onProblem(.invalidPoints(invalid))
            }
            if known == 0 {
                onProblem(
                    FileProblem("a JSON file, but no location history that is known (locations, rawSignals)"))
            }
        } catch {
            onProblem(error.problem(line: tokens.line))
        }
        return nil
    }

    /// The next point, valid or not; nil at the end.
    private func nextPoint() throws(JSONTokenizer.Failure) -> LocationPoint? {
        if !started {
            started = true
            let first = try tokens.next()
            if first == .beginArray {
                part = .segments
            } else if first != .beginObject {
                return nil
            }
        }
        while true {
            if let point = ready.popLast() { return point }
            if part == nil {
                guard try openPart() else { return nil }
                continue
            }
            let token = try tokens.next()
            switch token {
            case .endArray:
                if inPath {
                    inPath = false
                    if part == .timeline { try entryMembers() } else { try segmentMembers() }
                } else {
                    part = nil
                }
            case .beginObject:
                let offset = tokens.offset
                if var point = try object() {
                    point.offset = offset
                    return point
                }
            default: try tokens.skip(token)
            }
        }
    }

    /// Goes to the next member of the root that holds places; false at the end of the file.
    private func openPart() throws(JSONTokenizer.Failure) -> Bool {
        while true {
            let token = try tokens.next()
            guard token == .name else {
                if token == .end { return false }
                try tokens.skip(token)
                continue
            }
            let wanted: Part? =
                if tokens.text.elementsEqual("locations".utf8) {
                    .records
                } else if tokens.text.elementsEqual("rawSignals".utf8) {
                    .signals
                } else if tokens.text.elementsEqual("semanticSegments".utf8) {
                    .segments
                } else if tokens.text.elementsEqual("timelineObjects".utf8) { .timeline } else { nil }
            let value = try tokens.next()
            if let wanted, value == .beginArray {
                part = wanted
                known += 1
                return true
            }
            try tokens.skip(value)
        }
    }

    /// Reads an object of the part at hand; nil if it is no point.
    private func object() throws(JSONTokenizer.Failure) -> LocationPoint? {
        switch part {
        case .records: return try record()
        case .signals: return try signal()
        case .segments:
            if inPath { return try pathPoint() }
            open = HistorySegment(offset: tokens.offset)
            try segmentMembers()
            return nil
        case .timeline:
            if inPath {
                var point = try HistoryTimeline.measured(&tokens)
                point.segment = segment
                return point
            }
            entry = HistoryTimeline(depth: tokens.depth)
            try entryMembers()
            return nil
        case nil: return nil
        }
    }

    private func record() throws(JSONTokenizer.Failure) -> LocationPoint {
        var point = LocationPoint()
        var milliseconds: Timestamp?
        try tokens.scalars { name, value in
            switch name {
            case "latitudeE7": point.latitude = value.degreesE7
            case "longitudeE7": point.longitude = value.degreesE7
            case "accuracy": point.horizontalAccuracy = value.nonNegative
            case "verticalAccuracy": point.verticalAccuracy = value.nonNegative
            case "altitude": point.altitude = value.number
            case "velocity": point.speed = value.nonNegative
            case "heading": point.course = value.number.flatMap { (0...360).contains($0) ? $0 : nil }
            case "timestamp": point.timestamp = value.time
            case "timestampMs": milliseconds = value.milliseconds
            default: break
            }
        }
        point.timestamp = point.timestamp ?? milliseconds
        return point
    }

    /// `{"position": {"LatLng": "48.8°, 2.2°", …}}`; other signals, such as Wi-Fi scans, are no places.
    private func signal() throws(JSONTokenizer.Failure) -> LocationPoint? {
        var result: LocationPoint?
        while true {
            guard try tokens.next() == .name else { return result }
            let isPosition = tokens.text.elementsEqual("position".utf8)
            let value = try tokens.next()
            guard isPosition, value == .beginObject else {
                try tokens.skip(value)
                continue
            }
            var point = LocationPoint()
            try tokens.scalars { name, value in
                switch name {
                case "LatLng": (point.latitude, point.longitude) = value.pair
                case "accuracyMeters": point.horizontalAccuracy = value.nonNegative
                case "altitudeMeters": point.altitude = value.number
                case "speedMetersPerSecond": point.speed = value.nonNegative
                case "timestamp": point.timestamp = value.time
                default: break
                }
            }
            result = point
        }
    }

    /// Reads the members of the open segment, up to its path or its end.
    private func segmentMembers() throws(JSONTokenizer.Failure) {
        while try tokens.next() == .name {
            let name = String(decoding: tokens.text, as: UTF8.self)
            let value = try tokens.next()
            if name == "timelinePath" || name == "visit" || name == "activity" || name == "timelineMemory" {
                known += 1
            }
            if name == "timelinePath", value == .beginArray {
                inPath = true
                segment += 1
                return
            }
            try open.take(name, value, &tokens)
        }
        ready = open.places().reversed()
    }

    /// Reads the members of the entry at hand, up to its path or its end.
    private func entryMembers() throws(JSONTokenizer.Failure) {
        inPath = try entry.read(&tokens)
        if inPath { segment += 1 } else { ready = entry.places().reversed() }
    }

    private func pathPoint() throws(JSONTokenizer.Failure) -> LocationPoint {
        var point = LocationPoint()
        point.kind = "path"
        point.segment = segment
        var minutes: Double?
        try tokens.scalars { name, value in
            switch name {
            case "point": (point.latitude, point.longitude) = value.pair
            case "time": point.timestamp = value.time
            case "durationMinutesOffsetFromStartTime": minutes = value.nonNegative
            default: break
            }
        }
        if point.timestamp == nil, let minutes {
            point.timestamp = try open.start(file, size).flatMap { $0.advanced(byMinutes: minutes) }
        }
        return point
    }
}
