internal import EscrowFormats
internal import EscrowSourceFiles

/// Reads GeoJSON (RFC 7946) as a stream: points, and the places along lines. Areas are no places where someone was.
///
/// Members may come in any order, and a line may have any length. A line's type, name and times may therefore stand behind
/// its places; nothing is kept for that, but a second cursor goes to where the geometry or feature begins and looks them up.
final class GeoJSONReader: PointReader {
    private enum Level {
        /// The root, a feature or a geometry, and where it begins.
        case object(Int64)
        /// `features`, or `geometries`.
        case list
        /// `coordinates`, and the number of brackets that are open within.
        case coordinates(Int)
    }

    private let lookup: GeoJSONLookup
    private var tokens: JSONTokenizer
    private let onProblem: (FileProblem) -> Void
    private var levels: [Level] = []
    private var started = false
    private var invalid = 0
    private var known = 0
    private var segment: Int64 = 0
    private var isLine = false
    /// Where the feature at hand begins, if there is one.
    private var feature: Int64?
    /// Whether the geometry at hand lies in a collection.
    private var isCollected = false
    /// What the feature said of itself until now.
    private var inline = FeatureFacts()
    /// A feature's only point, which waits for the feature's end.
    private var pending: LocationPoint?
    /// What was looked up of the features and geometries that are open, by where they begin: a file may ask for one's again and
    /// again, each time from its beginning.
    private var features: [Int64: FeatureFacts] = [:]
    private var types: [Int64: GeoJSONLookup.GeometryType?] = [:]
    /// How often a feature or a geometry was looked up.
    private(set) var lookups = 0
    /// What the feature at hand says of a line, and the times of its places.
    private var facts = FeatureFacts()
    private var times: CoordinateTimes?
    /// Where a bracket was opened that nothing has followed yet, and a place that was read already.
    private var opened: Int64?
    private var ready: LocationPoint?
    /// Whether the places at hand lie in several lines.
    private var isNested = false

    init(_ file: SharedDescriptor, size: Int64, onProblem: @escaping (FileProblem) -> Void) {
        lookup = GeoJSONLookup(file: file, size: size)
        tokens = JSONTokenizer(file, size: size)
        self.onProblem = onProblem
    }

    func next() -> LocationPoint? {
        do {
            while let point = try nextPoint() {
                if point.isValid { return point }
                invalid += 1
            }
            if invalid > 0 { onProblem(.invalidPoints(invalid)) }
            if known == 0 { onProblem(FileProblem("no GeoJSON with a point or a line")) }
        } catch {
            onProblem(error.problem(line: tokens.line))
        }
        return nil
    }

    /// The next point, valid or not; nil at the end.
    private func nextPoint() throws(JSONTokenizer.Failure) -> LocationPoint? {
        if !started {
            started = true
            guard try tokens.next() == .beginObject else { return nil }
            levels = [.object(tokens.offset)]
        }
        while let level = levels.last {
            switch level {
            case .object(let start):
                if try tokens.next() == .name {
                    try member(of: start)
                } else {
                    levels.removeLast()
                    features[start] = nil
                    types[start] = nil
                    guard start == feature else { continue }
                    feature = nil
                    if let point = pending {
                        pending = nil
                        return inline.applied(to: point)
                    }
                }
            case .list:
                let token = try tokens.next()
                if token == .beginObject {
                    if !isCollected { inline = FeatureFacts() }
                    levels.append(.object(tokens.offset))
                } else if token == .endArray {
                    levels.removeLast()
                    isCollected = false
                } else {
                    try tokens.skip(token)
                }
            case .coordinates(let depth):
                if let point = try coordinates(depth) { return point }
            }
        }
        _ = try tokens.next()
        return nil
    }

    /// Reads a member of the object that begins at `start`.
    private func member(of start: Int64) throws(JSONTokenizer.Failure) {
        let name = tokens.text
        func isNamed(_ word: StaticString) -> Bool {
            name.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        }
        let value = try tokens.next()
        switch value {
        case .beginArray where isNamed("features") && levels.count == 1:
            known += 1
            levels.append(.list)
        case .beginArray where isNamed("geometries") && !isCollected:
            isCollected = true
            levels.append(.list)
        case .beginArray where isNamed("coordinates"):
            known += 1
            try openCoordinates(of: start)
        // A feature is the root or in its list; one within another's geometry would be looked up for each.
        case .beginObject where isNamed("geometry") && levels.count <= 3 && !isCollected:
            known += 1
            feature = start
            levels.append(.object(tokens.offset))
        case .beginObject where isNamed("properties"):
            inline = try FeatureFacts.read(&tokens)
        default: try tokens.skip(value)
        }
    }

    private func openCoordinates(of geometry: Int64) throws(JSONTokenizer.Failure) {
        let offset = tokens.offset
        let depth = tokens.depth
        let first = try tokens.next()
        switch first {
        case .number:
            var point = try position(at: offset)
            point.kind = "waypoint"
            // A point in a collection, or one of several, does not wait: nothing is kept but one.
            if feature != nil, !isCollected, pending == nil {
                pending = point
            } else {
                levels.append(.coordinates(depth))
                ready = point
            }
        case .endArray: break
        case .beginArray:
            guard let type = try type(of: geometry), type != .point else {
                while tokens.depth >= depth { _ = try tokens.next() }
                return
            }
            isLine = type == .line
            segment += 1
            times = nil
            facts = FeatureFacts()
            if let feature { try look(at: feature) }
            levels.append(.coordinates(depth))
            opened = tokens.offset
        default:
            try tokens.skip(first)
            while tokens.depth >= depth { _ = try tokens.next() }
        }
    }

    private func type(of geometry: Int64) throws(JSONTokenizer.Failure) -> GeoJSONLookup.GeometryType? {
        if let known = types[geometry] { return known }
        lookups += 1
        let type = try lookup.type(of: geometry)
        types[geometry] = .some(type)
        return type
    }

    /// Looks up what a feature says of its line. The times are those of its first.
    private func look(at feature: Int64) throws(JSONTokenizer.Failure) {
        if let known = features[feature] { return facts = known }
        lookups += 1
        facts = try lookup.facts(of: feature)
        features[feature] = facts
        if facts.hasTimes, !isCollected { times = try lookup.times(of: feature) }
    }

    /// The next place within `coordinates`; nil after its end.
    private func coordinates(_ depth: Int) throws(JSONTokenizer.Failure) -> LocationPoint? {
        if let point = ready {
            ready = nil
            levels.removeLast()
            return point
        }
        while tokens.depth >= depth {
            let token = try tokens.next()
            switch token {
            case .beginArray:
                // A second line of several begins.
                if opened == nil, tokens.depth == depth + 1, isNested { segment += 1 }
                if opened != nil, tokens.depth == depth + 2 { isNested = true }
                opened = tokens.offset
            case .number:
                guard let offset = opened else { continue }
                opened = nil
                var point = try position(at: offset)
                point.kind = isLine ? "track" : "waypoint"
                point.trackName = facts.name
                if isLine { point.segment = segment }
                point.timestamp = try times?.next()
                return point
            default:
                opened = nil
                try tokens.skip(token)
            }
        }
        levels.removeLast()
        isNested = false
        times = nil
        return nil
    }

    /// Reads a place, whose first number is the token at hand, up to its closing bracket.
    private func position(at offset: Int64) throws(JSONTokenizer.Failure) -> LocationPoint {
        var point = LocationPoint()
        point.offset = offset
        var index = 0
        var token = JSONTokenizer.Token.number
        repeat {
            if token == .number {
                let value = tokens.isCut ? nil : DecimalNumber.read(tokens.text[...])
                switch index {
                case 0: point.longitude = value ?? .nan
                case 1: point.latitude = value ?? .nan
                case 2: point.altitude = value
                default: break
                }
            } else {
                try tokens.skip(token)
            }
            index += 1
            token = try tokens.next()
        } while token != .endArray
        return point
    }
}
