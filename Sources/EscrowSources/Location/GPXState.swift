internal import CExpat
internal import EscrowTabular
internal import Glibc

/// What the reader of GPX knows between two calls of expat.
///
/// Elements are known by their local name: extensions put speed and course under prefixes of their own.
final class GPXState {
    private enum Field { case time, elevation, speed, course, accuracy, name, none }

    private let parser: XML_Parser
    private var depth = 0
    private var inPoint = false
    private var finished: LocationPoint?
    private var point = LocationPoint()
    private var pointDepth = 0
    private var field = Field.none
    private var text: [UInt8] = []
    private var groupDepth = 0
    private var groupName: [UInt8]?
    private var segment: Int64 = 0
    /// Why parsing was stopped, if it was.
    private(set) var refusal: String?
    /// Points that are nowhere on earth.
    var invalidPoints = 0
    /// Whether the root element is `gpx`.
    var sawGPX = false

    init(_ parser: XML_Parser) { self.parser = parser }

    /// The point that has just ended.
    func takePoint() -> LocationPoint? {
        defer { finished = nil }
        return finished
    }

    func refuse(_ reason: String) {
        refusal = reason
        XML_StopParser(parser, 0)
    }

    func start(_ name: UnsafePointer<CChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>) {
        depth += 1
        guard depth <= GPXReader.depthLimit else {
            return refuse("elements lie more than \(GPXReader.depthLimit) deep")
        }
        let local = Self.localName(name)
        if depth == 1 {
            guard Self.equal(local, "gpx") else { return refuse("the root element is not gpx") }
            sawGPX = true
        }
        field = .none
        if inPoint {
            startField(local)
        } else if Self.equal(local, "trkpt") {
            startPoint("track", attributes)
        } else if Self.equal(local, "rtept") {
            startPoint("route", attributes)
        } else if Self.equal(local, "wpt") {
            startPoint("waypoint", attributes)
        } else if Self.equal(local, "trkseg") {
            segment += 1
        } else if Self.equal(local, "trk") || Self.equal(local, "rte") {
            groupDepth = depth
            groupName = nil
            if Self.equal(local, "rte") { segment += 1 }
        } else if groupDepth > 0, depth == groupDepth + 1, Self.equal(local, "name") {
            begin(.name)
        }
    }

    func characters(_ bytes: UnsafeRawBufferPointer) {
        guard field != .none, text.count < GPXReader.textLimit else { return }
        text.append(contentsOf: bytes.prefix(GPXReader.textLimit - text.count))
    }

    func end(_ name: UnsafePointer<CChar>) {
        if field != .none {
            closeField()
        } else if inPoint, depth == pointDepth {
            inPoint = false
            if point.isValid {
                finished = point
                XML_StopParser(parser, 1)
            } else {
                invalidPoints += 1
            }
        } else if depth == groupDepth {
            groupDepth = 0
            groupName = nil
        }
        depth -= 1
    }

    private func startPoint(_ kind: StaticString, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>) {
        inPoint = true
        pointDepth = depth
        point = LocationPoint()
        point.kind = kind
        point.offset = Int64(XML_GetCurrentByteIndex(parser))
        if groupDepth > 0 {
            point.segment = segment
            point.trackName = groupName
        }
        var index = 0
        while let key = attributes[index], let value = attributes[index + 1] {
            if Self.equal(key, "lat") { point.latitude = Self.number(value) ?? .nan }
            if Self.equal(key, "lon") { point.longitude = Self.number(value) ?? .nan }
            index += 2
        }
    }

    private func startField(_ local: UnsafePointer<CChar>) {
        if Self.equal(local, "time") {
            begin(.time)
        } else if Self.equal(local, "ele") {
            begin(.elevation)
        } else if Self.equal(local, "speed") {
            begin(.speed)
        } else if Self.equal(local, "course") || Self.equal(local, "bearing") {
            begin(.course)
        } else if Self.equal(local, "accuracy") {
            begin(.accuracy)
        } else if Self.equal(local, "name"), depth == pointDepth + 1, groupDepth == 0 {
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
        case .elevation: point.altitude = Self.number(value)
        case .speed: point.speed = Self.number(value).flatMap { $0 >= 0 ? $0 : nil }
        case .course: point.course = Self.number(value).flatMap { (0...360).contains($0) ? $0 : nil }
        case .accuracy: point.horizontalAccuracy = Self.number(value).flatMap { $0 >= 0 ? $0 : nil }
        case .name:
            var name: [UInt8] = []
            TextRepair.append(value, to: &name)
            if inPoint { point.trackName = name } else { groupName = name }
        case .none: break
        }
        field = .none
    }

    /// What follows the prefix of a name.
    private static func localName(_ name: UnsafePointer<CChar>) -> UnsafePointer<CChar> {
        strrchr(name, Int32(UInt8(ascii: ":"))).map { UnsafePointer($0) + 1 } ?? name
    }

    private static func equal(_ name: UnsafePointer<CChar>, _ text: StaticString) -> Bool {
        text.utf8Start.withMemoryRebound(to: CChar.self, capacity: text.utf8CodeUnitCount + 1) {
            strcmp(name, $0) == 0
        }
    }

    private static func number(_ text: UnsafePointer<CChar>) -> Double? {
        number(
            Array(
                UnsafeBufferPointer(
                    start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: strlen(text)))[
                    ...])
    }

    private static func number(_ text: ArraySlice<UInt8>) -> Double? { DecimalNumber.read(text.trimmed) }
}
