public import EscrowDiagnostics
public import EscrowJSON

/// What came of one exchange.
public struct ExchangeOutcome: Sendable {
    public internal(set) var steps: [ExchangeStep] = []
    /// What the group has and this home does not take.
    public internal(set) var refused: [Refusal] = []
    /// Why a part of this home could not be exchanged; the other parts were.
    public internal(set) var failure: Diagnostic?

    /// Something of another device's that cannot be read here: damaged, or of a later version.
    public struct Refusal: Sendable, Equatable {
        public let kind: SharedObject.Kind
        public let id: String
        public let why: String

        /// A line for the program that speaks with the group, and knows whose it is.
        public var json: JSONValue {
            ["refused": .string(kind.rawValue), "id": .string(id), "why": .string(why)]
        }
    }
}

/// What a shelf did with what came.
struct Taken {
    var ids: Set<String> = []
    /// Why what was left was left, by its id.
    var refused: [String: String] = [:]
    /// What went wrong here, whatever came.
    var failure: Diagnostic?
}
