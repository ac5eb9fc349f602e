public import EscrowDiagnostics
public import EscrowJSON

/// What a plugin may have sent and may be told, with every bound: what a grant keeps of a manifest, to hold later versions
/// against it.
public struct Reach: Sendable, Hashable {
    /// What it may have sent.
    public let egress: [EgressEndpoint]
    /// What an app may tell it.
    public let parameters: ParameterSchema
    /// Both as the manifest spells them: the members `egress` and `parameters`.
    public let json: JSONValue

    /// What was read counts, however it was spelled.
    public static func == (left: Reach, right: Reach) -> Bool {
        left.egress == right.egress && left.parameters == right.parameters
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(egress)
        hasher.combine(parameters)
    }

    /// Of a plugin that sends nothing and is told nothing.
    public static let nothing = Reach()

    private init() {
        egress = []
        parameters = ParameterSchema(parameters: [])
        json = [:]
    }

    /// Takes both out of a manifest of which nothing was read yet.
    init(_ reader: inout ManifestReader, egress: [EgressEndpoint], parameters: ParameterSchema) {
        self.egress = egress
        self.parameters = parameters
        json = .object(
            ["egress", "parameters"].compactMap { name in reader.optional(name).map { (name, $0.value) } })
    }

    /// Reads what `json` wrote. E0101 to E0120 with the place in `file`.
    public init(_ node: JSONNode, file: String) throws(Diagnostic) {
        var reader = try ManifestReader(node, path: "", file: file)
        parameters = try ParameterSchema(&reader)
        egress = try EgressEndpoint.list(&reader, reads: nil)
        try reader.finish()
        json = node.value
    }

    /// In which ways this is more, or other, than an older one: a sentence each, empty where it lies within. Names of
    /// parameters are not compared, only what each may be.
    public func differences(from old: Reach) -> [String] {
        guard self != old else { return [] }
        var changes = Changes()
        for endpoint in egress {
            if let before = old.egress.first(where: { $0.name == endpoint.name }) {
                endpoint.changes(from: before, &changes)
            } else {
                changes.add(
                    .wider,
                    "it may also send \(endpoint.method.rawValue) \(endpoint.template.shown) (\(endpoint.name))"
                )
            }
        }
        for parameter in parameters.parameters where parameter.identifier == nil {
            guard let before = old.parameters.parameters.first(where: { $0.name == parameter.name }),
                before.identifier == nil, !parameter.bounds.isWithin(before.bounds)
            else { continue }
            changes.add(
                .wider,
                "it may be told as \(parameter.name) \(parameter.bounds.words), it was \(before.bounds.words)"
            )
        }
        return changes.sorted.filter { $0.direction != .narrower }.map(\.sentence)
    }
}
