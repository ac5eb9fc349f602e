internal import EscrowFormats
internal import EscrowSourceFiles
internal import EscrowTabular

/// A second cursor through GeoJSON, for what stands behind the place at which the first one is.
struct GeoJSONLookup {
    /// The types of geometry with places of their own.
    enum GeometryType { case point, points, line }

    /// The cursor mostly reads little.
    private static let blockSize = 4 << 10

    let file: SharedDescriptor
    let size: Int64

    /// The type of the geometry that begins at an offset; nil for areas, collections and what is unknown.
    func type(of geometry: Int64) throws(JSONTokenizer.Failure) -> GeometryType? {
        var tokens = JSONTokenizer(file, size: size, from: geometry, blockSize: Self.blockSize)
        guard try tokens.next() == .beginObject else { return nil }
        while try tokens.next() == .name {
            let isType = tokens.text.elementsEqual("type".utf8)
            let value = try tokens.next()
            guard isType, value == .string else {
                try tokens.skip(value)
                continue
            }
            switch String(decoding: tokens.text, as: UTF8.self) {
            case "Point": return .point
            case "MultiPoint": return .points
            case "LineString", "MultiLineString": return .line
            default: return nil
            }
        }
        return nil
    }

    /// What the feature that begins at an offset says of itself.
    func facts(of feature: Int64) throws(JSONTokenizer.Failure) -> FeatureFacts {
        var tokens = JSONTokenizer(file, size: size, from: feature, blockSize: Self.blockSize)
        guard try tokens.next() == .beginObject, try Self.find("properties", .beginObject, &tokens) else {
            return FeatureFacts()
        }
        return try FeatureFacts.read(&tokens)
    }

    /// The times of a feature's places; nil if it has none. `properties.coordTimes`, or
    /// `properties.coordinateProperties.times`.
    func times(of feature: Int64) throws(JSONTokenizer.Failure) -> CoordinateTimes? {
        var tokens = JSONTokenizer(file, size: size, from: feature)
        guard try tokens.next() == .beginObject, try Self.find("properties", .beginObject, &tokens) else {
            return nil
        }
        while try tokens.next() == .name {
            let name = String(decoding: tokens.text, as: UTF8.self)
            let value = try tokens.next()
            if name == "coordTimes", value == .beginArray { return CoordinateTimes(tokens) }
            if name == "coordinateProperties", value == .beginObject {
                guard try Self.find("times", .beginArray, &tokens) else { continue }
                return CoordinateTimes(tokens)
            }
            try tokens.skip(value)
        }
        return nil
    }

    /// Goes to a member of the open object; false at the object's end.
    private static func find(
        _ name: String, _ wanted: JSONTokenizer.Token, _ tokens: inout JSONTokenizer
    ) throws(JSONTokenizer.Failure) -> Bool {
        while try tokens.next() == .name {
            let isNamed = tokens.text.elementsEqual(name.utf8)
            let value = try tokens.next()
            if isNamed, value == wanted { return true }
            try tokens.skip(value)
        }
        return false
    }
}

/// The times of a line's places, one after the other, however they are nested.
final class CoordinateTimes {
    private var tokens: JSONTokenizer
    private let depth: Int

    /// Takes a cursor within the list of times.
    init(_ tokens: consuming JSONTokenizer) {
        depth = tokens.depth
        self.tokens = tokens
    }

    /// The next place's time; nil if it has none.
    func next() throws(JSONTokenizer.Failure) -> Timestamp? {
        while tokens.depth >= depth {
            switch try tokens.next() {
            case .string: return tokens.isCut ? nil : GPXTime.read(tokens.text[...])
            case .number, .literal: return nil
            default: continue
            }
        }
        return nil
    }
}

/// What the properties of a feature say.
struct FeatureFacts {
    var name: [UInt8]?
    var time: Timestamp?
    var horizontalAccuracy: Double?
    var altitude: Double?
    var verticalAccuracy: Double?
    var speed: Double?
    var course: Double?
    /// Whether there is a list of times.
    var hasTimes = false

    /// Reads the open object up to its end.
    static func read(_ tokens: inout JSONTokenizer) throws(JSONTokenizer.Failure) -> FeatureFacts {
        var facts = FeatureFacts()
        while try tokens.next() == .name {
            let name = String(decoding: tokens.text, as: UTF8.self)
            let token = try tokens.next()
            switch token {
            case .string, .number:
                if !tokens.isCut {
                    facts.take(name, HistoryValue(text: tokens.text, isNumber: token == .number))
                }
            default:
                if name == "coordTimes" || name == "coordinateProperties" { facts.hasTimes = true }
                try tokens.skip(token)
            }
        }
        return facts
    }

    private mutating func take(_ member: String, _ value: HistoryValue) {
        switch member {
        case "name", "title":
            guard !value.isNumber, name == nil else { return }
            var clean: [UInt8] = []
            TextRepair.append(value.text[...].trimmed, to: &clean)
            if !clean.isEmpty { name = clean }
        case "time", "timestamp": time = time ?? value.time
        case "accuracy", "horizontal_accuracy": horizontalAccuracy = value.nonNegative
        case "altitude": altitude = value.number
        case "vertical_accuracy": verticalAccuracy = value.nonNegative
        case "speed": speed = value.nonNegative
        case "course", "heading": course = value.number.flatMap { (0...360).contains($0) ? $0 : nil }
        default: break
        }
    }

    /// A feature's point with what the feature says.
    func applied(to point: LocationPoint) -> LocationPoint {
        var point = point
        point.trackName = name
        point.timestamp = time
        point.horizontalAccuracy = horizontalAccuracy
        point.altitude = point.altitude ?? altitude
        point.verticalAccuracy = verticalAccuracy
        point.speed = speed
        point.course = course
        return point
    }
}
