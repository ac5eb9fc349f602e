internal import EscrowFormats
internal import EscrowSourceFiles
internal import EscrowTabular

/// A segment of a phone's timeline: when it was, and the places of a visit or of an activity's ends.
///
/// An Android phone writes places as `{"latLng": "60.1°, 5.2°"}`, an iPhone as `"geo:60.1,5.2"`.
struct HistorySegment {
    private let offset: Int64
    private var startTime: Timestamp?
    private var hasLookedForStart = false
    private var endTime: Timestamp?
    private var visit: LocationPoint?
    private var from: LocationPoint?
    private var to: LocationPoint?

    init(offset: Int64) { self.offset = offset }

    /// Takes a member whose value begins with `value`.
    mutating func take(
        _ name: String, _ value: JSONTokenizer.Token, _ tokens: inout JSONTokenizer
    ) throws(JSONTokenizer.Failure) {
        switch (name, value) {
        case ("startTime", .string): startTime = Self.time(tokens)
        case ("endTime", .string): endTime = Self.time(tokens)
        case ("visit", .beginObject):
            while try tokens.next() == .name {
                let isCandidate = tokens.text.elementsEqual("topCandidate".utf8)
                let inner = try tokens.next()
                guard isCandidate, inner == .beginObject else {
                    try tokens.skip(inner)
                    continue
                }
                while try tokens.next() == .name {
                    let isPlace = tokens.text.elementsEqual("placeLocation".utf8)
                    let place = try Self.place("visit", try tokens.next(), &tokens)
                    if isPlace, let place { visit = place }
                }
            }
        case ("activity", .beginObject):
            while try tokens.next() == .name {
                let end = String(decoding: tokens.text, as: UTF8.self)
                let place = try Self.place("activity", try tokens.next(), &tokens)
                if end == "start", let place { from = place }
                if end == "end", let place { to = place }
            }
        default: try tokens.skip(value)
        }
    }

    /// When the segment began. If that stands behind what is read now, a second cursor looks it up, once.
    mutating func start(_ file: SharedDescriptor, _ size: Int64) throws(JSONTokenizer.Failure) -> Timestamp? {
        guard startTime == nil, !hasLookedForStart else { return startTime }
        hasLookedForStart = true
        var tokens = JSONTokenizer(file, size: size, from: offset, blockSize: 4 << 10)
        guard try tokens.next() == .beginObject else { return nil }
        while startTime == nil, try tokens.next() == .name {
            let isStart = tokens.text.elementsEqual("startTime".utf8)
            let value = try tokens.next()
            if isStart, value == .string { startTime = Self.time(tokens) }
            try tokens.skip(value)
        }
        return startTime
    }

    /// The segment's places with their times, in the order of time.
    func places() -> [LocationPoint] {
        var places: [LocationPoint] = []
        for (place, time) in [(visit, startTime), (from, startTime), (to, endTime)] {
            guard var place else { continue }
            place.timestamp = time
            places.append(place)
        }
        return places
    }

    /// Reads a value that should be a place; nil if it is none.
    private static func place(
        _ kind: StaticString, _ value: JSONTokenizer.Token, _ tokens: inout JSONTokenizer
    ) throws(JSONTokenizer.Failure) -> LocationPoint? {
        var point = LocationPoint()
        point.kind = kind
        point.offset = tokens.offset
        switch value {
        case .string:
            if tokens.isCut { return nil }
            (point.latitude, point.longitude) = HistoryValue(text: tokens.text, isNumber: false).pair
            return point
        case .beginObject:
            var found = false
            try tokens.scalars { name, value in
                guard name.lowercased() == "latlng" else { return }
                found = true
                (point.latitude, point.longitude) = value.pair
            }
            return found ? point : nil
        default:
            try tokens.skip(value)
            return nil
        }
    }

    private static func time(_ tokens: borrowing JSONTokenizer) -> Timestamp? {
        tokens.isCut ? nil : GPXTime.read(tokens.text[...])
    }
}

extension Timestamp {
    /// This moment and some minutes, at most a year; nil beyond.
    func advanced(byMinutes minutes: Double) -> Timestamp? {
        guard minutes >= 0, minutes <= 527_040 else { return nil }
        return Timestamp(microseconds: microseconds + Int64(minutes * 60_000_000))
    }
}
