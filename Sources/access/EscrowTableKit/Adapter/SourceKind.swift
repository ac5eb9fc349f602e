/// A kind of source that a person can add, by its word.
///
/// Which there are is the list of adapters' to say, so a kind in hand is one that Escrow can read.
public struct SourceKind: Sendable, Hashable {
    /// The word of `escrow source add`.
    public let rawValue: String

    /// A kind's own word, for its adapter alone.
    package init(word: StaticString) { rawValue = "\(word)" }
}
