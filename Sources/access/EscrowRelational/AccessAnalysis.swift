/// What a query touches, learnt while it was prepared and before any data was read.
public struct AccessAnalysis: Sendable {
    public internal(set) var returned: [OutputColumn]
    /// Every column that is read, be it to return, compute, filter, join, sort or group: what SQLite's authorizer was
    /// asked for, and what its planner asked of the tables.
    public internal(set) var used: Set<ColumnRef>
    /// Tables of which only the number of rows matters: `count(*)`, `SELECT 1`.
    public internal(set) var rowsOnly: Set<String>
    public internal(set) var functions: Set<String>
    public internal(set) var tables: Set<String>
}
