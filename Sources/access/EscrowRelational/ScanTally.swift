/// What the scans of one plan did.
struct ScanTally {
    /// Times that SQLite started a scan.
    var scans = 0
    /// Of these, how many were served from held rows.
    var heldScans = 0
    /// Of these, how many looked their rows up in an index.
    var lookups = 0
    /// Rows that came from the source.
    var scannedRows = 0
    /// Rows handed to SQLite.
    var passedRows = 0
    /// For each term of the plan, whether the source used it; nil before the first scan of the source.
    var prunes: [Bool]?
    /// Whether the source delivered the order; nil before the first scan.
    var sourceOrder: Bool?
    /// Whether the first rows were picked in a bounded buffer rather than by a full sort.
    var topRows = false
}
