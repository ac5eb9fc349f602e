import EscrowDiagnostics

/// Rows of which the individual picks those that a run is for, before the plugin is given any.
public struct PickRule: Sendable, Hashable {
    /// The most that may be picked.
    public let most: Int
    /// The columns by which a row is told from others, in this order; they are shown to the individual alone.
    public let shows: [String]

    /// The most rows that are put before somebody.
    public static let mostRows = 5_000

    /// Reads the member `pick`; what it shows are columns that the plugin accepts.
    init(_ reader: consuming ManifestReader, columns: [String]?) throws(Diagnostic) {
        most = Int(try reader.integer("max", in: 1...100))
        var shows: [String] = []
        let path = reader.path(of: "shows")
        for (index, item) in try reader.list("shows", maximum: 8).enumerated() {
            let name = try reader.string(item, path: "\(path)[\(index)]")
            guard columns?.contains(name) ?? Spelling.isIdentifier(name), !shows.contains(name) else {
                throw reader.failure(
                    .membersContradict, "\"\(path)[\(index)]\" is no column of \"accepts\", or named twice",
                    at: item)
            }
            shows.append(name)
        }
        guard !shows.isEmpty else {
            throw reader.failure(
                .membersContradict, "\"\(path)\" names no column, so nobody could tell one row from another",
                at: reader.position)
        }
        self.shows = shows
        try reader.finish()
    }
}
