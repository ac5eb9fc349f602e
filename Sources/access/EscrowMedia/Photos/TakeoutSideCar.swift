internal import EscrowFormats
internal import EscrowJSON
internal import EscrowMediaFormats
internal import EscrowTabular

/// What Google Takeout writes beside a picture.
enum TakeoutSideCar {
    /// The largest file that is read. Real ones have some kilobytes.
    static let sizeLimit = 1 << 18

    /// What the file says; nil if it is no such file.
    ///
    /// - Throws: if it is no JSON.
    static func read(_ bytes: [UInt8]) throws(JSONError) -> ImageFacts? {
        let root = try JSONParser.parse(bytes, limits: .init(depth: 32, bytes: sizeLimit, values: 10_000))
        guard let taken = member("photoTakenTime", of: root) else { return nil }
        var facts = ImageFacts()
        if let seconds = number("timestamp", of: taken), abs(seconds) < 1e11, seconds != 0 {
            facts.creationDate = Timestamp(microseconds: Int64(seconds) * 1_000_000)
        }
        if let text = text("description", of: root) { facts.description = text }
        for name in ["geoData", "geoDataExif"] where facts.latitude == nil {
            guard let place = member(name, of: root), let latitude = number("latitude", of: place),
                let longitude = number("longitude", of: place), abs(latitude) <= 90, abs(longitude) <= 180,
                // Where nothing is known, Google writes the sea off Ghana.
                latitude != 0 || longitude != 0
            else { continue }
            facts.latitude = latitude
            facts.longitude = longitude
            facts.altitude = number("altitude", of: place).flatMap { $0 == 0 ? nil : $0 }
        }
        return facts
    }

    private static func member(_ name: String, of node: JSONNode) -> JSONNode? {
        guard case .object(let members) = node.content else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// A number, which Google puts in quotes here and there.
    private static func number(_ name: String, of node: JSONNode) -> Double? {
        switch member(name, of: node)?.content {
        case .integer(let value): Double(value)
        case .real(let value): value
        case .string(let text): DecimalNumber.read(Array(text.utf8)[...])
        default: nil
        }
    }

    private static func text(_ name: String, of node: JSONNode) -> String? {
        guard case .string(let text) = member(name, of: node)?.content else { return nil }
        var clean: [UInt8] = []
        TextRepair.append(Array(text.utf8.prefix(4_096))[...].trimmed, to: &clean)
        return clean.isEmpty ? nil : String(decoding: clean, as: UTF8.self)
    }
}
