public import EscrowDiagnostics
public import EscrowJSON

/// What a plugin may have sent and may be told, with every bound: what a grant keeps of a manifest, to hold later versions
/// against it.
public struct Reach: Sendable, Hashable {
    /// What it may have sent.
    public let egress: [EgressEndpoint]
    /// What an app may tell it.
    public let parameters: ParameterSchema
    /// That the individual picks what it is given; nil where it is given all that the query yields.
    public let pick: PickRule?
    /// All as the manifest spells them: the members `egress`, `parameters` and `pick`.
    public let json: JSONValue

    /// What was read counts, however it was spelled.
    public static func == (left: Reach, right: Reach) -> Bool {
        left.egress == right.egress && left.parameters == right.parameters && left.pick == right.pick
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(egress)
        hasher.combine(parameters)
        hasher.combine(pick)
    }

    /// Of a plugin that sends nothing and is told nothing.
    public static let nothing = Reach()

    private init() {
        egress = []
        parameters = ParameterSchema(parameters: [])
        pick = nil
        json = [:]
    }

    /// Takes both out of a manifest of which nothing was read yet.
    init(
        _ reader: inout ManifestReader, egress: [EgressEndpoint], parameters: ParameterSchema, pick: PickRule?
    ) {
        self.pick = pick
        self.egress = egress
        self.parameters = parameters
        json = .object(
            ["egress", "parameters", "pick"].compactMap { name in
                reader.optional(name).map { (name, $0.value) }
            })
    }

    /// Reads what `json` wrote. E0101 to E0120 with the place in `file`.
    public init(_ node: JSONNode, file: String) throws(Diagnostic) {
        var reader = try ManifestReader(node, path: "", file: file)
        parameters = try ParameterSchema(&reader)
        egress = try EgressEndpoint.list(&reader, reads: nil)
        pick = try reader.optionalObject("pick").map { inner throws(Diagnostic) in
            try PickRule(inner, columns: nil)
        }
        try reader.finish()
        json = node.value
    }

    /// In which ways this is more, or other, than an older one: a sentence each, empty where it lies within. Endpoints that are new
    /// stand by themselves. Names of parameters are not compared, only what each may be.
    public func differences(from old: Reach) -> (endpoints: [String], others: [String]) {
        guard self != old else { return ([], []) }
        var endpoints: [String] = []
        var changes = Changes()
        switch (pick, old.pick) {
        case (nil, _?): changes.add(.wider, "you no longer pick what it is given")
        case (let rule?, let before?) where rule.most > before.most:
            changes.add(.wider, "it is given up to \(rule.most) of what you pick, it was \(before.most)")
        default: break
        }
        for endpoint in egress {
            if let before = old.egress.first(where: { $0.name == endpoint.name }) {
                var own = Changes()
                endpoint.changes(from: before, &own)
                // Another server is as good as a new one, however many other things change.
                let isElsewhere =
                    endpoint.shownReceiver != before.shownReceiver
                    || endpoint.template.host != before.template.host
                for change in own.sorted {
                    if isElsewhere, change.direction == .different {
                        endpoints.append(change.sentence)
                    } else {
                        changes.add(change.direction, change.sentence)
                    }
                }
            } else {
                endpoints.append(
                    "it may also send \(endpoint.method.rawValue) \(endpoint.briefPlace) (\(endpoint.briefName))"
                )
            }
        }
        for parameter in parameters.parameters where parameter.identifier == nil {
            guard let before = old.parameters.parameters.first(where: { $0.name == parameter.name }),
                before.identifier == nil, !parameter.bounds.isWithin(before.bounds)
            else { continue }
            let name = Brief.middle(parameter.name, longest: 40)
            changes.add(
                .wider,
                "it may be told as \(name) \(parameter.bounds.briefWords), it was \(before.bounds.briefWords)"
            )
        }
        return (endpoints, changes.sorted.filter { $0.direction != .narrower }.map(\.sentence))
    }
}
