internal import EscrowDatabase
internal import EscrowDiagnostics

/// What waits, of each server's shares, for those of others. One server that lies has room for so much and no more.
struct Waiting {
    static let mostNames = 4096
    static let mostBytes = 64 << 20
    private var held: [Int: (names: Int, bytes: Int)] = [:]

    init(_ store: GroupStore) throws(Diagnostic) {
        let rows = try store.database.rows(
            "SELECT place, count(*), sum(length(bytes)) FROM incoming GROUP BY place",
            read: { (Int($0.integer(0)), Int($0.integer(1)), Int($0.integer(2))) })
        for (place, names, bytes) in rows { held[place] = (names, bytes) }
    }

    /// Whether there is room for another share, which is taken then.
    mutating func admits(_ bytes: Int, of place: Int) -> Bool {
        let before = held[place] ?? (0, 0)
        guard before.names < Self.mostNames, before.bytes + bytes <= Self.mostBytes else { return false }
        held[place] = (before.names + 1, before.bytes + bytes)
        return true
    }

    /// Notes that a share waits no longer.
    mutating func release(_ bytes: Int, of place: Int) {
        let before = held[place] ?? (0, 0)
        held[place] = (before.names - 1, before.bytes - bytes)
    }
}
