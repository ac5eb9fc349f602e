public import EscrowDiagnostics
public import EscrowJSON

/// The parameters of a plugin, in the order of its manifest: everything that an app can vary.
public struct ParameterSchema: Sendable, Hashable {
    /// The parameters, in order.
    public let parameters: [Parameter]

    /// One parameter.
    public struct Parameter: Sendable, Hashable {
        /// Its name, also in SQL as `:name`.
        public let name: String
        /// What its value must be.
        public let bounds: ScalarBounds
        /// Its value when nobody gives one; without it, it must be given.
        public let fallback: Scalar?
        /// What it is for, for people.
        public let why: String?
        /// The identifier that the host fills in; nil for what an app may set.
        public let identifier: IdentifierScope?
    }

    /// Turns what was given on a command line or by an app (`name` → text) into values for all parameters but the
    /// identifiers, in order.
    ///
    /// Throws E1160 for an identifier, E1090 for a name that the plugin does not have, E1091 for a value that is not allowed, E1092 for one that
    /// is missing: usage errors, exit 64. No message repeats the value.
    public func resolve(given: [String: String]) throws(Diagnostic) -> [(name: String, value: JSONValue)] {
        for parameter in parameters where parameter.identifier != nil && given[parameter.name] != nil {
            throw Diagnostic(
                .identifierGiven, "\"\(parameter.name)\" is an identifier, which the host fills in",
                help: "leave it out; escrow id list shows your identifiers")
        }
        for name in given.keys.sorted() where !parameters.contains(where: { $0.name == name }) {
            let known = parameters.map(\.name)
            let nearest = known.min { EditDistance.between($0, name) < EditDistance.between($1, name) }
            let hint = nearest.flatMap {
                EditDistance.between($0, name) <= 2 ? "did you mean \"\($0)\"? " : nil
            }
            throw Diagnostic(
                .unknownParameter, "the plugin has no parameter \"\(Spelling.quotable(name))\"",
                help: known.isEmpty
                    ? "it has no parameters"
                    : (hint ?? "") + "its parameters: \(known.joined(separator: ", "))")
        }
        var resolved: [(name: String, value: JSONValue)] = []
        for parameter in parameters where parameter.identifier == nil {
            if let text = given[parameter.name] {
                guard let value = parameter.bounds.read(text) else {
                    throw Diagnostic(
                        .parameterValueNotAllowed,
                        "the value for \"\(parameter.name)\" is not \(parameter.bounds.words)",
                        help: "give --param \(parameter.name)=…, \(parameter.bounds.words)")
                }
                resolved.append((parameter.name, value.json))
            } else if let fallback = parameter.fallback {
                resolved.append((parameter.name, fallback.json))
            } else {
                throw Diagnostic(
                    .parameterMissing, "the plugin needs a value for \"\(parameter.name)\"",
                    help: "add --param \(parameter.name)=…, \(parameter.bounds.words)")
            }
        }
        return resolved
    }
}

extension ParameterSchema {
    init(_ reader: inout ManifestReader) throws(Diagnostic) {
        guard let node = reader.optional("parameters") else {
            parameters = []
            return
        }
        var parameters: [Parameter] = []
        for member in try reader.map(node, path: "parameters", maximum: 32) {
            try reader.checkIdentifier(member.name, path: "parameters.\(member.name)", at: member.position)
            parameters.append(
                try Parameter(
                    name: member.name,
                    ManifestReader(member.value, path: "parameters.\(member.name)", file: reader.file)))
        }
        try reader.checkUnique(parameters.map(\.name), path: "parameters", at: node)
        self.parameters = parameters
    }
}

extension ParameterSchema.Parameter {
    init(name: String, _ reader: consuming ManifestReader) throws(Diagnostic) {
        self.name = name
        let scope: IdentifierScope? = try reader.optionalWord("identifier")
        identifier = scope
        let bounds = try ScalarBounds(&reader, textNeedsBound: scope == nil)
        let isPlainText = bounds.type == .text && bounds.maxLength == nil && bounds.oneOf == nil
        guard scope == nil || isPlainText && reader.optional("default") == nil else {
            throw reader.failure(
                .identifierNotAllowed, "the identifier \"\(name)\" has bounds or a default",
                at: reader.position,
                help: "the host fills it in: say \"type\": \"text\" and \"why\", no more")
        }
        if let node = reader.optional("default") {
            guard let value = Scalar(node, type: bounds.type), bounds.allows(value) else {
                throw reader.failure(
                    .membersContradict, "\"\(reader.path(of: "default"))\" is not \(bounds.words)", at: node)
            }
            fallback = value
        } else {
            fallback = nil
        }
        self.bounds = bounds
        why = try reader.optionalText("why", maximum: 200)
        try reader.finish()
    }
}
