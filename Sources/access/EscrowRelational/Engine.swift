/// How tables are served to SQLite. Each gives the same answers under the same grants; they differ in what is read when.
public enum Engine: String, Sendable, CaseIterable {
    /// Native SQLite tables in memory, filled by a scan of each source, and filled again once the source has changed.
    case materialized
    /// Virtual tables that read every granted column of every row on each scan: SQLite filters, sorts and limits.
    case virtual
    /// Virtual tables that take over columns, terms, order and limit where that is certain. The default.
    case pushdown
}
