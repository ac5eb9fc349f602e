public import EscrowJSON

/// What all members of a group are asked together. Each runs the plugin over their own data, in
/// their own escrow, and gives a whole number, or several, that nobody sees; the sum over all comes
/// out.
public struct Question: Sendable, Equatable {
    public let id: String
    /// The member who asks.
    public let asker: String
    public let plugin: String
    /// access(); nil for the plugin's own.
    public let sql: String?
    /// Which member of the result holds the number, or the list of numbers.
    public let field: String
    /// How many numbers: one for a sum, the bars of a histogram else.
    public let count: Int
    /// m: of how many members the sum must be, at least.
    public let least: Int
    /// ε: what one member's answer may change in the probability of any outcome, as its logarithm.
    public let epsilon: Double
    /// How great one member's numbers may be, their magnitudes added; noise is measured by it.
    public let bound: Int64

    /// The most numbers that an answer has, and the most members.
    public static let longest = 4096
    public static let mostMembers = 250

    /// - Throws: ``AnswerError/question`` for what no question may be.
    public init(
        id: String, asker: String, plugin: String, sql: String?, field: String, count: Int, least: Int,
        epsilon: Double, bound: Int64
    ) throws(AnswerError) {
        // With two members each would know the other's number.
        guard !id.isEmpty, id.utf8.count <= 64, !asker.isEmpty, !plugin.isEmpty, !field.isEmpty,
            (1...Self.longest).contains(count), (3...Self.mostMembers).contains(least),
            epsilon >= 0.001, epsilon <= 16, (1...1_000_000_000_000).contains(bound)
        else { throw .question }
        self.id = id
        self.asker = asker
        self.plugin = plugin
        self.sql = sql
        self.field = field
        self.count = count
        self.least = least
        self.epsilon = epsilon
        self.bound = bound
    }

    public var json: JSONValue {
        [
            "id": .string(id), "asker": .string(asker), "plugin": .string(plugin),
            "sql": sql.map { .string($0) } ?? .null, "field": .string(field), "count": .integer(Int64(count)),
            "least": .integer(Int64(least)), "epsilon": .real(epsilon), "bound": .integer(bound),
        ]
    }

    init(_ node: JSONNode) throws {
        var reader = try JSONObjectReader(node)
        let sql = try reader.required("sql")
        try self.init(
            id: reader.required("id").requireString(), asker: reader.required("asker").requireString(),
            plugin: reader.required("plugin").requireString(),
            sql: sql.value == .null ? nil : sql.requireString(),
            field: reader.required("field").requireString(),
            count: Int(reader.required("count").requireInteger()),
            least: Int(reader.required("least").requireInteger()),
            epsilon: reader.required("epsilon").requireReal(),
            bound: reader.required("bound").requireInteger())
        try reader.finish()
    }

    /// k of a deal. Above two thirds of those who were dealt to: were two halves of the members
    /// told different things, less than a third of them who help cannot open both.
    static func threshold(of members: Int) -> Int { 2 * members / 3 + 1 }
}
