/// How many rows a plugin accepts.
public struct RowBounds: Sendable, Hashable {
    /// Fewer rows are refused before the plugin starts: a guard against singling out.
    public let minimum: Int
    /// One row more ends the run; nothing is ever cut off silently.
    public let maximum: Int

    /// The most rows that a manifest may ask for.
    public static let hostMaximum = 100_000_000
    /// Used where a manifest says nothing.
    public static let standard = RowBounds(minimum: 0, maximum: 1_000_000)
}
