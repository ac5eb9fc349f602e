internal import EscrowTabular

/// Reads a location history as Google's export writes it, as a stream: `Records.json` (`locations`), and the later
/// `Timeline.json` of a phone (`rawSignals`, and the paths of `semanticSegments`).
final class HistoryReader: PointReader {
    private enum Part { case records, signals, segments }

    private var tokens: JSONTokenizer
    private let onProblem: (FileProblem) -> Void
    private var part: Part?
    private var started = false
    private var known = 0
    private var invalid = 0
    private var segment: Int64 = 0
    /// Within `timelinePath`, whose points are read one by one.
    private var inPath = false

    init(_ file: consuming Descriptor, size: Int64, onProblem: @escaping (FileProblem) -> Void) {
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
                onProblem(FileProblem("\(invalid) points without a valid place", partial: true))
            }
            if known == 0 {
                onProblem(
                    FileProblem("a JSON file, but no location history that is known (locations, rawSignals)"))
            }
        } catch {
            let reason =
                switch error {
                case .syntax: "not readable as JSON from here on"
                case .tooDeep: "nested more than \(JSONTokenizer.depthLimit) deep"
                case .truncated: "the file ends in the middle"
                case .unreadable(let code): FileProblem.unreadable(errno: code).reason
                }
            onProblem(FileProblem(reason, line: tokens.line, partial: true))
        }
        return nil
    }

    /// The next point, valid or not; nil at the end.
    private func nextPoint() throws(JSONTokenizer.Failure) -> LocationPoint? {
        if !started {
            started = true
            let first = try tokens.next()
            guard first == .beginObject else {
                try tokens.skip(first)
                return nil
            }
        }
        while true {
            if part == nil {
                guard try openPart() else { return nil }
                continue
            }
            let token = try tokens.next()
            switch token {
            case .endArray:
                if inPath {
                    inPath = false
                    try finishObject()
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
                continue
            }
            let wanted: Part? =
                if tokens.text.elementsEqual("locations".utf8) {
                    .records
                } else if tokens.text.elementsEqual("rawSignals".utf8) {
                    .signals
                } else if tokens.text.elementsEqual("semanticSegments".utf8) { .segments } else { nil }
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
        case .segments: return inPath ? try pathPoint() : try segmentObject()
        case nil: return nil
        }
    }

    private func record() throws(JSONTokenizer.Failure) -> LocationPoint {
        var point = LocationPoint()
        var milliseconds: Timestamp?
        try members { name, value in
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
            try members { name, value in
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

    /// Looks for `timelinePath`; the segment's end is read after the path's.
    private func segmentObject() throws(JSONTokenizer.Failure) -> LocationPoint? {
        while true {
            guard try tokens.next() == .name else { return nil }
            let isPath = tokens.text.elementsEqual("timelinePath".utf8)
            let value = try tokens.next()
            if isPath, value == .beginArray {
                inPath = true
                segment += 1
                return nil
            }
            try tokens.skip(value)
        }
    }

    /// Passes over what is left of the object after its path.
    private func finishObject() throws(JSONTokenizer.Failure) {
        while try tokens.next() == .name { try tokens.skip(try tokens.next()) }
    }

    private func pathPoint() throws(JSONTokenizer.Failure) -> LocationPoint {
        var point = LocationPoint()
        point.kind = "path"
        point.segment = segment
        try members { name, value in
            switch name {
            case "point": (point.latitude, point.longitude) = value.pair
            case "time": point.timestamp = value.time
            default: break
            }
        }
        return point
    }

    /// Reads the members of the open object up to its end; values that are objects or arrays are passed over.
    private func members(_ visit: (String, HistoryValue) -> Void) throws(JSONTokenizer.Failure) {
        while true {
            guard try tokens.next() == .name else { return }
            let name = String(decoding: tokens.text, as: UTF8.self)
            let token = try tokens.next()
            switch token {
            case .string, .number:
                if !tokens.isCut { visit(name, HistoryValue(text: tokens.text, isNumber: token == .number)) }
            default: try tokens.skip(token)
            }
        }
    }
}

/// A string or number of a location history.
struct HistoryValue {
    let text: [UInt8]
    let isNumber: Bool

    /// The number, whether it is written as one or in a string.
    var number: Double? { DecimalNumber.read(text[...]) }
    var nonNegative: Double? { number.flatMap { $0 >= 0 ? $0 : nil } }

    /// Degrees times ten million. Some exports wrapped at 32 bits, a known flaw: what lies beyond the circle is moved
    /// back.
    var degreesE7: Double {
        guard isNumber, let value = number else { return .nan }
        return (value > 1_800_000_000 ? value - 4_294_967_296 : value) / 1e7
    }

    var time: Timestamp? { isNumber ? nil : GPXTime.read(text[...]) }

    /// Milliseconds since 1970, written as a string.
    var milliseconds: Timestamp? {
        guard let value = Int64(String(decoding: text, as: UTF8.self)) else { return nil }
        let microseconds = value.multipliedReportingOverflow(by: 1_000)
        return microseconds.overflow ? nil : Timestamp(microseconds: microseconds.partialValue)
    }

    /// `48.833657°, 2.256223°`, or `geo:48.8,2.2`.
    var pair: (Double, Double) {
        var text = text[...]
        if text.starts(with: "geo:".utf8) { text = text.dropFirst(4) }
        let parts = text.split(separator: UInt8(ascii: ","), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return (.nan, .nan) }
        func degrees(_ part: ArraySlice<UInt8>) -> Double {
            var part = part.trimmed
            if part.suffix(2).elementsEqual("°".utf8) { part = part.dropLast(2) }
            return DecimalNumber.read(part.trimmed) ?? .nan
        }
        return (degrees(parts[0]), degrees(parts[1]))
    }
}
