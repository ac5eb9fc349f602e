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

        var bounds: ScalarBounds {
            switch self {
            case .latitude: ScalarBounds(real: -90...90)
            case .longitude: ScalarBounds(real: -180...180)
            case .country: ScalarBounds(text: 2)
            }
        }
    }
}

extension EgressEndpoint {
    /// A place belongs to fields that tell it, and the other way round; its requests leave when the host sends them.
    func checkPlace(_ reader: borrowing ManifestReader, at node: JSONNode?) throws(Diagnostic) {
        let tells = fields.contains { $0.part != nil }
        guard tells == (place != nil) else {
            throw reader.failure(
                .membersContradict,
                tells
                    ? "\"\(reader.path)\" has fields of a place and no \"place\""
                    : "\"\(reader.path)\" has a \"place\" and no field that tells it",
                at: node?.position ?? reader.position,
                help:
                    "\"place\" of an endpoint names the service; \"place\" of a field the part that it tells")
        }
        guard !tells || !isTogether else {
            throw reader.failure(
                .membersContradict, "\"\(reader.path)\" tells a place, so it has no \"together\"",
                at: reader.position,
                help: "the host decides how many requests of a place leave, and sends them together itself")
        }
    }
}
