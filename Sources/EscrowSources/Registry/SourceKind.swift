internal import EscrowSchema

/// A kind of source that a person can add, by its word.
///
/// Which there are is the list of adapters' to say, so a kind in hand is one that Escrow can read.
public struct SourceKind: RawRepresentable, Sendable, Hashable, CaseIterable {
    /// The word of `escrow source add`.
    public let rawValue: String

    /// The kind of that word; nil if there is none.
    public init?(rawValue: String) {
        guard let adapter = SourceAdapters.all.first(where: { $0.kind.rawValue == rawValue }) else {
            return nil
        }
        self = adapter.kind
    }

    /// A kind's own word, for its adapter alone.
    init(word: StaticString) { rawValue = "\(word)" }

    /// Every kind, in the order in which they are shown.
    public static var allCases: [SourceKind] { SourceAdapters.all.map(\.kind) }

    /// What the path of such a source may be, as a noun: "a vCard file, or a folder of them".
    public var accepts: String { SourceAdapters[self]?.accepts ?? "" }
    /// The names of the tables that such sources serve.
    public var tables: [String] { SourceAdapters[self]?.specs.map(\.name) ?? [] }
}
