public import EscrowJSON

/// One thing that the individual's devices have in common, as the group keeps it.
public struct SharedObject: Sendable, Equatable {
    public let kind: Kind
    public let id: String
    public let value: JSONValue

    /// The classes of the group of one's own devices.
    public enum Kind: String, Sendable, CaseIterable {
        /// A decision; what it says never changes.
        case decision = "Decision"
        /// A rule, or a setting beside the rules.
        case rule = "Rule"
        /// A signed restriction.
        case restriction = "Restriction"
        /// What an app is known by.
        case identifier = "Identifier"
        /// A ledger's head, by the ledger.
        case head = "Head"
        /// Another device's signature over one, by the ledger and that device.
        case cosignature = "Cosignature"
    }

    public init(_ kind: Kind, _ id: String, _ value: JSONValue) {
        self.kind = kind
        self.id = id
        self.value = value
    }

    /// Reads a line as `escrow group objects` prints it; nil for an object of another class.
    public init?(line: [UInt8]) throws(JSONError) {
        var object = try JSONObjectReader(
            JSONParser.parse(line, limits: .init(depth: 24, bytes: 16 << 20, values: 500_000)))
        let kind = Kind(rawValue: try object.required("class").requireString())
        id = try object.required("id").requireString()
        value = try object.required("object").value
        try object.finish()
        guard let kind else { return nil }
        self.kind = kind
    }
}

/// What is to be done to the group's objects, or was done here.
public enum ExchangeStep: Sendable, Equatable {
    case update(SharedObject)
    case delete(SharedObject.Kind, String)
    /// Something came from another device: what kind of thing, and how many came or went.
    case took(SharedObject.Kind, Int)
    /// Something is not as it must be; a sentence for the individual.
    case alarm(String)

    /// A line for the program that speaks with the group.
    public var json: JSONValue {
        switch self {
        case .update(let object):
            ["update": .string(object.kind.rawValue), "id": .string(object.id), "object": object.value]
        case .delete(let kind, let id): ["delete": .string(kind.rawValue), "id": .string(id)]
        case .took(let kind, let count):
            ["took": .string(kind.rawValue), "count": .integer(Int64(count))]
        case .alarm(let sentence): ["alarm": .string(sentence)]
        }
    }
}
