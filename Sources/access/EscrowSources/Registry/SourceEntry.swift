public import EscrowTableKit
public import EscrowTabular

/// A source that the person added.
public struct SourceEntry: Sendable, Hashable {
    /// What it holds.
    public let kind: SourceKind
    /// The absolute path of the file or folder, as the person named it: a link stays a link.
    public let path: String
    /// When it was added.
    public let added: Timestamp
}
