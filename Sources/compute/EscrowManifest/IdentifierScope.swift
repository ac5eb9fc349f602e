public import EscrowDiagnostics
public import EscrowJSON

/// Towards whom an identifier stands for the individual: what a parameter may ask the host to fill in.
public enum IdentifierScope: String, Sendable, Hashable, CaseIterable, Comparable {
    /// One for each app.
    case application
    /// One for each publisher, over all apps.
    case vendor
    /// One for all advertising.
    case advertising

    public static func < (left: IdentifierScope, right: IdentifierScope) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// What people are told that somebody learns.
    public var words: String {
        switch self {
        case .application: "your identifier for this app alone"
        case .vendor: "your identifier for all plugins of this publisher, the same in every app"
        case .advertising: "your advertising identifier, the same for everybody"
        }
    }
}

extension ParameterSchema {
    /// The identifiers that the host fills in.
    public var identifiers: Set<IdentifierScope> { Set(parameters.compactMap(\.identifier)) }

    /// Values for all parameters, in order, once the dataflow is allowed: those that were resolved, and the identifiers.
    public func identified(
        _ arguments: [(name: String, value: JSONValue)],
        by identify: (IdentifierScope) throws(Diagnostic) -> String
    ) throws(Diagnostic) -> [(name: String, value: JSONValue)] {
        var all: [(name: String, value: JSONValue)] = []
        for parameter in parameters {
            if let scope = parameter.identifier {
                all.append((parameter.name, .string(try identify(scope))))
            } else if let argument = arguments.first(where: { $0.name == parameter.name }) {
                all.append(argument)
            }
        }
        return all
    }
}
