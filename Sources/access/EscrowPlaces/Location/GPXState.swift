internal import EscrowFormats

/// What the reader of GPX knows between two calls of expat.
///
/// Elements are known by their local name: extensions put speed and course under prefixes of their own.
final class GPXState: XMLHandler {
    /// The longest text kept of one element.
    static let textLimit = 4_096

    private enum Field { case time, elevation, speed, course, accuracy, name, none }

    private var inPoint = false
    private var finished: LocationPoint?
    private var point = LocationPoint()
    private var pointDepth = 0
    private var field = Field.none
    private var text: [UInt8] = []
    private var groupDepth = 0
    private var groupName: [UInt8]?
    private var segment: Int64 = 0
    /// Points that are nowhere on earth.
    var invalidPoints = 0

    /// The point that has just ended.
    func takePoint() -> LocationPoint? {
        defer { finished = nil }
        return finished
    }

    func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes, in stream: XMLStream) {
        let depth = stream.depth
        let local = XMLText.localName(name)
        if depth == 1, !XMLText.equal(local, "gpx") { return stream.refuse("the root element is not gpx") }
        field = .none
        if inPoint {
            startField(local, depth)
        } else if XMLText.equal(local, "trkpt") {
            startPoint("track", attributes, stream)
        } else if XMLText.equal(local, "rtept") {
            startPoint("route", attributes, stream)
        } else if XMLText.equal(local, "wpt") {
            startPoint("waypoint", attributes, stream)
        } else if XMLText.equal(local, "trkseg") {
            segment += 1
        } else if XMLText.equal(local, "trk") || XMLText.equal(local, "rte") {
            groupDepth = depth
            groupName = nil
            if XMLText.equal(local, "rte") { segment += 1 }
        } else if groupDepth > 0, depth == groupDepth + 1, XMLText.equal(local, "name") {
            begin(.name)
        }
    }

    func characters(_ bytes: UnsafeRawBufferPointer) {
        guard field != .none, text.count < Self.textLimit else { return }
        text.append(contentsOf: bytes.prefix(Self.textLimit - text.count))
    }

    func end(_ name: UnsafePointer<CChar>, in stream: XMLStream) {
        let depth = stream.depth
        if field != .none {
            closeField()
        } else if inPoint, depth == pointDepth {
            inPoint = false
            if point.isValid {
                finished = point
                stream.pause()
            } else {
                invalidPoints += 1
            }
        } else if depth == groupDepth {
            groupDepth = 0
            groupName = nil
        }
    }

    private func startPoint(_ kind: StaticString, _ attributes: XMLAttributes, _ stream: XMLStream) {
        inPoint = true
        pointDepth = stream.depth
        point = LocationPoint()
        point.kind = kind
        point.offset = stream.offset
        if groupDepth > 0 {
            point.segment = segment
            point.trackName = groupName
        }
        var index = 0
        while let key = attributes[index], let value = attributes[index + 1] {
            if XMLText.equal(key, "lat") {
                point.latitude = XMLText.number(XMLText.bytes(value)[...]) ?? .nan
            }
            if XMLText.equal(key, "lon") {
                point.longitude = XMLText.number(XMLText.bytes(value)[...]) ?? .nan
            }
            index += 2
        }
    }

    private func startField(_ local: UnsafePointer<CChar>, _ depth: Int) {
        if XMLText.equal(local, "time") {
            begin(.time)
        } else if XMLText.equal(local, "ele") {
            begin(.elevation)
        } else if XMLText.equal(local, "speed") {
            begin(.speed)
        } else if XMLText.equal(local, "course") || XMLText.equal(local, "bearing") {
            begin(.course)
        } else if XMLText.equal(local, "accuracy") {
            begin(.accuracy)
        } else if XMLText.equal(local, "name"), depth == pointDepth + 1, groupDepth == 0 {
            begin(.name)
        }
    }

    private func begin(_ field: Field) {
        self.field = field
        text.removeAll(keepingCapacity: true)
    }

    private func closeField() {
        let value = text[...].trimmed
        switch field {
        case .time: point.timestamp = GPXTime.read(value)
        case .elevation: point.altitude = XMLText.number(value)
        case .speed: point.speed = XMLText.number(value).flatMap { $0 >= 0 ? $0 : nil }
        case .course: point.course = XMLText.number(value).flatMap { (0...360).contains($0) ? $0 : nil }
        case .accuracy: point.horizontalAccuracy = XMLText.number(value).flatMap { $0 >= 0 ? $0 : nil }
        case .name:
            var name: [UInt8] = []
            TextRepair.append(value, to: &name)
            if inPoint { point.trackName = name } else { groupName = name }
        case .none: break
        }
        field = .none
    }
}
