internal import EscrowFormats
internal import EscrowSourceFiles

/// What a location file is written in, by its content.
enum LocationFormat {
    case empty, xml, json, ownTracks, zip, unknown

    /// What is told of a file in none of them.
    static let unknownReason = "it is no track and no location history (GPX, KML, GeoJSON, JSON, OwnTracks)"

    /// A first guess from the first bytes.
    init(head: ArraySlice<UInt8>) {
        var start = head
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
        if ZipArchive.isZip(head) {
            self = .zip
            return
        }
        switch start.trimmed.first {
        case nil: self = .empty
        case UInt8(ascii: "<"), 0xFE, 0xFF: self = .xml
        case UInt8(ascii: "{"), UInt8(ascii: "["): self = .json
        // `2026-03-01T12:00:00Z<tab>*<tab>{…}`
        case .some(0x30...0x39):
            let line = start.prefix { $0 != 0x0A }
            self = line.contains(0x09) && line.contains(UInt8(ascii: "{")) ? .ownTracks : .unknown
        default: self = .unknown
        }
    }

    /// Whether the root element of an XML file is `kml`.
    static func isKML(_ file: SharedDescriptor, size: Int64) -> Bool {
        let root = RootElement()
        // The reader tells what is wrong with the file.
        guard let stream = XMLStream(file, size: size, format: "", handler: root, onProblem: { _ in }) else {
            return false
        }
        _ = stream.run()
        return root.isKML
    }

    /// What JSON there can be.
    enum JSONContent { case history, geoJSON, ownTracks }

    /// Tells by the names of the root's members, up to the first one that says it.
    static func jsonContent(_ file: SharedDescriptor, size: Int64) -> JSONContent {
        var tokens = JSONTokenizer(file, size: size)
        do {
            guard try tokens.next() == .beginObject else { return .history }
            while try tokens.next() == .name {
                switch String(decoding: tokens.text, as: UTF8.self) {
                case "locations", "rawSignals", "semanticSegments", "timelineObjects": return .history
                case "features", "geometry", "geometries", "coordinates": return .geoJSON
                case "type":
                    let value = try tokens.next()
                    if value == .string { return .geoJSON }
                    try tokens.skip(value)
                case "_type": return .ownTracks
                default: try tokens.skip(try tokens.next())
                }
            }
        } catch {
            // Told by the reader, which meets it again.
        }
        return .history
    }

    /// Notes the first element, and ends the reading there.
    private final class RootElement: XMLHandler {
        private(set) var isKML = false

        func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes, in stream: XMLStream) {
            if stream.depth == 1 { isKML = XMLText.equal(XMLText.localName(name), "kml") }
            stream.refuse("")
        }
        func characters(_ bytes: UnsafeRawBufferPointer) {}
        func end(_ name: UnsafePointer<CChar>, in stream: XMLStream) {}
    }
}
