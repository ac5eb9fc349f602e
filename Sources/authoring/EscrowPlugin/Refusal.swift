public import EscrowWire

/// The plugin's own "no". Throw it out of `compute`.
///
/// The app learns the code alone. The message is for the person, on their own machine.
public struct Refusal: Error, Sendable {
    /// Why, as one of a closed list.
    public typealias Code = RefusalCode

    /// Why.
    public let code: Code
    /// One sentence for the person.
    public let message: String

    /// Says no.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
