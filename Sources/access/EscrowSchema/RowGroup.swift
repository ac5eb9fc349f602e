/// Rows of a snapshot that change together, and apart from all others: those that come out of one file, for example.
public struct RowGroup: Sendable, Hashable {
    /// The bits of a row's id below those of its group.
    public static let placeBits: Int64 = 44
    /// What names the group in any snapshot of the table.
    public let name: UInt64
    /// Equal states of one group mean equal rows. Nil for a group that may change again without a sign of it.
    public let state: UInt64?

    public init(name: UInt64, state: UInt64?) {
        self.name = name
        self.state = state
    }
}
