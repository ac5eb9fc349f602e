internal import EscrowFormats
internal import EscrowSourceFiles
internal import EscrowTabular

/// Reads KML 2.2 with Google's extensions as a stream: placemarks that are a point, and the tracks `gx:Track`.
///
/// A track holds its times in one list and its places in another. Neither is kept: two cursors go through the file, one
/// for the places and one for their times.
final class KMLReader: PointReader {
    private let file: SharedDescriptor
    private let size: Int64
    private let stream: XMLStream
    private let state = KMLState(.places)
    private let onProblem: (FileProblem) -> Void
    private var times: (stream: XMLStream, state: KMLState)?

    init?(_ file: SharedDescriptor, size: Int64, onProblem: @escaping (FileProblem) -> Void) {
        guard let stream = XMLStream(file, size: size, format: "KML", handler: state, onProblem: onProblem)
        else { return nil }
        self.file = file
        self.size = size
        self.stream = stream
        self.onProblem = onProblem
    }

    func next() -> LocationPoint? {
        while true {
            switch stream.run() {
            case .failed: return nil
            case .ended:
                if state.invalidPoints > 0 {
                    onProblem(.invalidPoints(state.invalidPoints))
                    state.invalidPoints = 0
                }
                return nil
            case .paused:
                guard var point = state.takePoint() else { continue }
                if let index = state.indexInTrack {
                    point.timestamp = time(track: state.track, index: index)
                }
                return point
            }
        }
    }

    /// The time of a track's place, which stands at the same position in the list of times.
    private func time(track: Int64, index: Int) -> Timestamp? {
        if times == nil {
            let state = KMLState(.times)
            // What is wrong with the file is told by the first cursor.
            guard
                let stream = XMLStream(
                    file, size: size, format: "KML", handler: state, onProblem: { _ in })
            else { return nil }
            times = (stream, state)
        }
        guard let (stream, state) = times else { return nil }
        while (state.track, state.whenIndex) < (track, index) {
            guard case .paused = stream.run() else { return nil }
        }
        return state.track == track && state.whenIndex == index ? state.when : nil
    }
}

/// What a cursor through KML knows between two events.
///
/// Elements are known by their local name.
final class KMLState: XMLHandler {
    /// What the cursor stops at.
    enum Purpose { case places, times }
    private enum Field { case name, when, coordinates, coord, none }

    /// The longest text kept of one element.
    static let textLimit = 4_096

    private let purpose: Purpose
    private var placemarkDepth = 0
    private var pointDepth = 0
    private var trackDepth = 0
    private var name: [UInt8]?
    private var placemarkTime: Timestamp?
    private var single: LocationPoint?
    private var finished: LocationPoint?
    private var field = Field.none
    private var fieldDepth = 0
    private var text: [UInt8] = []
    private var offset: Int64 = 0
    private var nextIndex = 0
    /// The track at hand, counted from 1.
    private(set) var track: Int64 = 0
    /// The position in its track of the place that ``takePoint()`` gave; nil for a placemark's point.
    private(set) var indexInTrack: Int?
    /// The position in its track of the time at hand.
    private(set) var whenIndex = -1
    private(set) var when: Timestamp?
    /// Points that are nowhere on earth.
    var invalidPoints = 0

    init(_ purpose: Purpose) { self.purpose = purpose }

    /// The place at which the stream paused.
    func takePoint() -> LocationPoint? {
        defer { finished = nil }
        return finished
    }

    func start(_ qualified: UnsafePointer<CChar>, _ attributes: XMLAttributes, in stream: XMLStream) {
        let depth = stream.depth
        let local = XMLText.localName(qualified)
        if depth == 1, !XMLText.equal(local, "kml") { return stream.refuse("the root element is not kml") }
        field = .none
        if XMLText.equal(local, "Placemark") {
            placemarkDepth = depth
            (name, placemarkTime, single) = (nil, nil, nil)
        } else if placemarkDepth == 0 {
            return
        } else if XMLText.equal(local, "Track") {
            trackDepth = depth
            track += 1
            nextIndex = 0
            whenIndex = -1
        } else if trackDepth > 0 {
            guard depth == trackDepth + 1 else { return }
            if XMLText.equal(local, "when") { begin(.when, stream) }
            if XMLText.equal(local, "coord") { begin(.coord, stream) }
        } else if XMLText.equal(local, "name"), depth == placemarkDepth + 1 {
            begin(.name, stream)
        } else if XMLText.equal(local, "when") || XMLText.equal(local, "begin") {
            begin(.when, stream)
        } else if XMLText.equal(local, "Point") {
            pointDepth = depth
        } else if pointDepth > 0, XMLText.equal(local, "coordinates") {
            begin(.coordinates, stream)
        }
    }

    func characters(_ bytes: UnsafeRawBufferPointer) {
        guard field != .none, text.count < Self.textLimit else { return }
        text.append(contentsOf: bytes.prefix(Self.textLimit - text.count))
    }

    func end(_ qualified: UnsafePointer<CChar>, in stream: XMLStream) {
        let depth = stream.depth
        if field != .none {
            if depth == fieldDepth { closeField(stream) }
        } else if depth == pointDepth {
            pointDepth = 0
        } else if depth == trackDepth {
            trackDepth = 0
        } else if depth == placemarkDepth {
            placemarkDepth = 0
            if purpose == .places, var point = single {
                point.timestamp = placemarkTime
                point.trackName = name
                indexInTrack = nil
                emit(point, stream)
            }
            single = nil
        }
    }

    private func begin(_ field: Field, _ stream: XMLStream) {
        self.field = field
        fieldDepth = stream.depth
        offset = stream.offset
        text.removeAll(keepingCapacity: true)
    }

    private func closeField(_ stream: XMLStream) {
        let value = text[...].trimmed
        switch field {
        case .name:
            var clean: [UInt8] = []
            TextRepair.append(value, to: &clean)
            name = clean.isEmpty ? nil : clean
        case .when:
            if trackDepth > 0 {
                whenIndex += 1
                if purpose == .times {
                    when = KMLTime.read(value)
                    stream.pause()
                }
            } else {
                placemarkTime = placemarkTime ?? KMLTime.read(value)
            }
        case .coordinates:
            // Of several points in a placemark the first is taken.
            if single == nil { single = point("waypoint", value, separator: UInt8(ascii: ",")) }
        case .coord:
            indexInTrack = nextIndex
            nextIndex += 1
            if purpose == .places {
                var point = point("track", value, separator: UInt8(ascii: " "))
                point.trackName = name
                point.segment = track
                emit(point, stream)
            }
        case .none: break
        }
        field = .none
    }

    /// `longitude,latitude` and perhaps an altitude.
    private func point(_ kind: StaticString, _ value: ArraySlice<UInt8>, separator: UInt8) -> LocationPoint {
        var point = LocationPoint()
        point.kind = kind
        point.offset = offset
        let parts = value.split(separator: separator)
        guard parts.count == 2 || parts.count == 3 else { return point }
        point.longitude = XMLText.number(parts[0]) ?? .nan
        point.latitude = XMLText.number(parts[1]) ?? .nan
        if parts.count == 3 { point.altitude = XMLText.number(parts[2]) }
        return point
    }

    private func emit(_ point: LocationPoint, _ stream: XMLStream) {
        guard point.isValid else {
            invalidPoints += 1
            return
        }
        finished = point
        stream.pause()
    }
}

/// Times as KML writes them: `xsd:dateTime`, or a date, month or year alone, which begins at its first moment.
enum KMLTime {
    /// Reads a time; one without a zone is UTC.
    static func read(_ text: ArraySlice<UInt8>) -> Timestamp? {
        switch text.count {
        case 4: GPXTime.read(text + Array("-01-01T00:00:00Z".utf8))
        case 7: GPXTime.read(text + Array("-01T00:00:00Z".utf8))
        case 10: GPXTime.read(text + Array("T00:00:00Z".utf8))
        default: GPXTime.read(text)
        }
    }
}
