package import EscrowFormats
package import EscrowSourceFiles
internal import EscrowTabular

/// Reads XMP (ISO 16684-1), in a JPEG file or beside a picture: when and where it was taken, and what people said of it.
///
/// Properties are known by the prefixes that the specification recommends and every program writes. A document type, and
/// with it every entity, is refused.
package enum XMPReader {
    /// What a JPEG segment of XMP begins with.
    package static let signature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    /// The largest side-car that is read.
    package static let sizeLimit = 1 << 20

    /// Reads a packet; nil, after a word to `onProblem`, if it cannot be read to its end and said nothing before.
    package static func read(
        _ packet: ArraySlice<UInt8>, zone: LocalZone, onProblem: @escaping (FileProblem) -> Void
    ) -> ImageFacts? {
        let state = XMPState(zone)
        guard let stream = XMLStream(packet, format: "XMP", handler: state, onProblem: onProblem) else {
            return nil
        }
        guard case .ended = stream.run() else { return state.facts == ImageFacts() ? nil : state.facts }
        return state.facts
    }
}

/// What a cursor through XMP knows between two events.
private final class XMPState: XMLHandler {
    private enum Property {
        case title, description, keywords, rating, taken, created, latitude, longitude, altitude, belowSea
        case make, model
    }

    /// The longest text that is kept.
    private static let textLimit = 4_096

    private let zone: LocalZone
    private var known = ImageFacts()
    private var taken: Timestamp?
    private var isBelowSea = false
    private var property: Property?
    private var propertyDepth = 0
    private var hasItems = false
    private var text: [UInt8] = []

    init(_ zone: LocalZone) { self.zone = zone }

    /// What was told so far.
    var facts: ImageFacts {
        var facts = known
        facts.creationDate = taken ?? known.creationDate
        if facts.latitude == nil || facts.longitude == nil {
            facts.latitude = nil
            facts.longitude = nil
        }
        if isBelowSea { facts.altitude = facts.altitude.map { -abs($0) } }
        return facts
    }

    func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes, in stream: XMLStream) {
        if property == nil, let found = Self.property(name) {
            property = found
            propertyDepth = stream.depth
            hasItems = false
            text = []
        } else if property != nil, XMLText.equal(name, "rdf:li") {
            hasItems = true
            text = []
        }
        // Simple properties may be attributes of what they belong to.
        var index = 0
        while let name = attributes[index], let value = attributes[index + 1] {
            if let found = Self.property(name) { set(found, XMLText.bytes(value)[...]) }
            index += 2
        }
    }

    func characters(_ bytes: UnsafeRawBufferPointer) {
        guard property != nil, text.count < Self.textLimit else { return }
        text.append(contentsOf: bytes.prefix(Self.textLimit - text.count))
    }

    func end(_ name: UnsafePointer<CChar>, in stream: XMLStream) {
        guard let property else { return }
        if XMLText.equal(name, "rdf:li") {
            set(property, text[...])
            text = []
        } else if stream.depth == propertyDepth {
            if !hasItems { set(property, text[...]) }
            self.property = nil
        }
    }

    private static func property(_ name: UnsafePointer<CChar>) -> Property? {
        for (word, property) in names where XMLText.equal(name, word) { return property }
        return nil
    }

    private static let names: [(StaticString, Property)] = [
        ("dc:title", .title), ("dc:description", .description), ("dc:subject", .keywords),
        ("xmp:Rating", .rating), ("xap:Rating", .rating), ("exif:DateTimeOriginal", .taken),
        ("photoshop:DateCreated", .created), ("xmp:CreateDate", .created), ("xap:CreateDate", .created),
        ("exif:GPSLatitude", .latitude), ("exif:GPSLongitude", .longitude), ("exif:GPSAltitude", .altitude),
        ("exif:GPSAltitudeRef", .belowSea), ("tiff:Make", .make), ("tiff:Model", .model),
    ]

    private func set(_ property: Property, _ value: ArraySlice<UInt8>) {
        let value = value.trimmed
        guard !value.isEmpty else { return }
        func string() -> String {
            var clean: [UInt8] = []
            // A cut may go through a character.
            TextRepair.append(value, to: &clean)
            return String(decoding: clean, as: UTF8.self)
        }
        switch property {
        case .title: known.title = known.title ?? string()
        case .description: known.description = known.description ?? string()
        case .keywords:
            guard (known.keywords?.utf8.count ?? 0) < Self.textLimit else { return }
            known.keywords = known.keywords.map { $0 + "; " + string() } ?? string()
        case .rating:
            if let number = DecimalNumber.read(value), number >= -1, number <= 5 {
                known.rating = Int64(number)
            }
        case .taken: taken = taken ?? time(value)
        case .created: known.creationDate = known.creationDate ?? time(value)
        case .latitude: known.latitude = known.latitude ?? Self.degrees(value, "N", "S", 90)
        case .longitude: known.longitude = known.longitude ?? Self.degrees(value, "E", "W", 180)
        case .altitude: known.altitude = known.altitude ?? Self.rational(value)
        case .belowSea: isBelowSea = value.elementsEqual("1".utf8)
        case .make: known.cameraMake = known.cameraMake ?? string()
        case .model: known.cameraModel = known.cameraModel ?? string()
        }
    }

    /// `2026-03-01T12:00:00.5+01:00`; a date alone is none.
    private func time(_ text: ArraySlice<UInt8>) -> Timestamp? {
        var rest = text.dropFirst(19)
        var fraction: ArraySlice<UInt8>?
        if rest.first == UInt8(ascii: ".") {
            fraction = rest.dropFirst().prefix { $0 >= 0x30 && $0 <= 0x39 }
            rest = rest.dropFirst(1 + (fraction?.count ?? 0))
        }
        return ExifTime.read(text, offset: rest.isEmpty ? nil : rest, fraction: fraction, zone: zone)
    }

    /// `60,23.5074N` or `60,23,30N`, in degrees.
    private static func degrees(
        _ text: ArraySlice<UInt8>, _ plus: Unicode.Scalar, _ minus: Unicode.Scalar, _ limit: Double
    ) -> Double? {
        guard let sign = text.last, sign == UInt8(ascii: plus) || sign == UInt8(ascii: minus) else {
            return nil
        }
        let parts = text.dropLast().split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var degrees = 0.0
        var scale = 1.0
        for part in parts {
            guard let number = DecimalNumber.read(part), number >= 0 else { return nil }
            degrees += number / scale
            scale *= 60
        }
        guard degrees <= limit else { return nil }
        return sign == UInt8(ascii: minus) ? -degrees : degrees
    }

    /// `2340/100`, or a decimal number.
    private static func rational(_ text: ArraySlice<UInt8>) -> Double? {
        let parts = text.split(separator: UInt8(ascii: "/"), maxSplits: 1)
        guard let above = parts.first.flatMap({ DecimalNumber.read($0) }) else { return nil }
        guard parts.count == 2 else { return above }
        guard let below = DecimalNumber.read(parts[1]), below != 0 else { return nil }
        return above / below
    }
}
