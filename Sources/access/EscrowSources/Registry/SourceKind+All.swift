internal import EscrowSchema
public import EscrowTableKit

extension SourceKind: RawRepresentable, CaseIterable {
    /// The kind of that word; nil if there is none.
    public init?(rawValue: String) {
        guard let adapter = SourceAdapters.all.first(where: { $0.kind.rawValue == rawValue }) else {
            return nil
        }
        self = adapter.kind
    }

    /// Every kind, in the order in which they are shown.
    public static var allCases: [SourceKind] { SourceAdapters.all.map(\.kind) }

    /// What the path of such a source may be, as a noun: "a vCard file, or a folder of them".
    public var accepts: String { SourceAdapters[self]?.accepts ?? "" }
    /// The names of the tables that such sources serve.
    public var tables: [String] { SourceAdapters[self]?.specs.map(\.name) ?? [] }
}
