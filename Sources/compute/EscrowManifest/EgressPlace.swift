import EscrowDiagnostics
import EscrowJSON
public import EscrowLocationPrivacy

/// Where a request tells the individual's newest place: the host fills it in, masked, and the plugin never holds it.
public struct EgressPlace: Sendable, Hashable {
    /// What kind of service is asked.
    public let service: ServiceType
    /// The most that it is told; the individual's rules may tell less.
    public let exactness: Telling

    /// What the host reads to fill it in.
    public static let table = "Location"
    public static let columns = ["latitude", "longitude", "timestamp"]

    init(_ reader: consuming ManifestReader) throws(Diagnostic) {
        let service: ServiceType = try reader.word("service")
        self.service = service
        exactness = try Self.accuracy(&reader) ?? Telling(service.exactness)
        guard exactness.isWithin(Telling(service.exactness)), exactness.step > .none else {
            throw reader.failure(
                .membersContradict,
                "\"\(reader.path(of: "accuracy"))\" is more than a service of the type \(service.rawValue) needs, "
                    + "or nothing",
                at: reader.position,
                help:
                    "such a service needs \(service.exactness.rawValue) at most; leave \"accuracy\" out for that"
            )
        }
        try reader.finish()
    }

    /// A step of the ladder, or a mechanism with its parts.
    private static func accuracy(_ reader: inout ManifestReader) throws(Diagnostic) -> Telling? {
        guard let node = reader.optional("accuracy") else { return nil }
        let path = reader.path(of: "accuracy")
        let text = try reader.string(node, path: path)
        guard text.contains("(") else {
            let step: Exactness = try reader.word(node, path: path)
            return Telling(step)
        }
        guard let telling = Telling(text) else {
            throw reader.failure(
                .membersContradict, "\"\(path)\" names no mechanism that a host can mask by",
                at: node.position,
                help: "there are: \(Mechanism.forms); or a step: city")
        }
        return telling
    }

    func changes(of endpoint: String, from old: EgressPlace, _ changes: inout Changes) {
        if exactness != old.exactness {
            changes.add(
                exactness.isWithin(old.exactness) ? .narrower : .wider,
                "\(endpoint) tells \(exactness.words), it was \(old.exactness.words)")
        }
        if service != old.service {
            changes.add(
                .different,
                "\(endpoint) is a service of the type \(service.rawValue), it was \(old.service.rawValue)")
        }
    }
}

extension EgressField {
    /// Which part of the place a field tells.
    public enum PlacePart: String, Sendable, Hashable, CaseIterable {
        case latitude
        case longitude
        /// Two letters of ISO 3166: for services to which an attribute of the place is enough.
        case country
        /// The country's first-level division, by GeoNames' code: `NO.46`.
        case region
        /// How far from the truth the point may be, in whole metres: with the point it tells an area.
        case radius

        var bounds: ScalarBounds {
            switch self {
            case .latitude: ScalarBounds(real: -90...90)
            case .longitude: ScalarBounds(real: -180...180)
            case .country: ScalarBounds(text: 2)
            case .region: ScalarBounds(text: 12)
            case .radius: ScalarBounds(real: 0...20_100_000)
            }
        }

        /// With how many digits behind the point it is written at most; nil for text.
        var decimals: Int? {
            switch self {
            case .latitude, .longitude: Decimals.most
            case .country, .region: nil
            case .radius: 0
            }
        }
    }
}
