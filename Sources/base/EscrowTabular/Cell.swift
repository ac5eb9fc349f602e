/// One value as SQL yields it: one of SQLite's five storage classes.
public enum Cell: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}
