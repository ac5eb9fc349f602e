/// What a column of Ds holds. The raw value is the word that manifests and the protocol use.
public enum ColumnType: String, Sendable, Hashable, CaseIterable {
    /// A 64-bit signed integer; Arrow `int64`.
    case integer
    /// A 64-bit float; Arrow `float64`.
    case real
    /// UTF-8 text; Arrow `utf8`.
    case text
    /// Bytes; Arrow `binary`.
    case blob
    /// True or false; an integer 0 or 1 in SQL; Arrow `bool`.
    case boolean
    /// A moment; in SQL the text of ``Timestamp/iso8601``; Arrow `timestamp[us, UTC]`.
    case timestamp
    /// A handle for something whose bytes the host reads only when the plugin asks for it; text; Arrow `utf8`.
    case asset
}
