internal import Crypto
public import EscrowJSON

/// What all members of a group are asked together. Each runs the plugin over their own data, in
/// their own escrow, and gives a whole number, or several, that nobody sees; the sum over all comes
/// out.
public struct Question: Sendable, Equatable {
    /// A digest of all that is asked, and by whom: nothing else can be asked under it.
    public let id: String
    /// Makes two questions of the same words two.
    public let nonce: String
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
    /// ε: what one member's answer may change in the probability of any outcome, as its logarithm,
    /// to others who do not know the noise of more than ``colluding`` of those who are in it.
    public let epsilon: Double
    /// How great one member's numbers may be, their magnitudes added; noise is measured by it.
    public let bound: Int64

    /// The most numbers that an answer has, and the most members.
    public static let longest = 4096
    public static let mostMembers = 250
    /// The greatest bound / ε: with more, noise is finer than floating-point numbers are.
    static let widest = 1e12

    /// - Throws: ``AnswerError/question`` for what no question may be.
    public init(
        asker: String, plugin: String, sql: String?, field: String, count: Int, least: Int,
        epsilon: Double, bound: Int64, nonce: String
    ) throws(AnswerError) {
        // With two members each would know the other's number.
        guard (16...64).contains(nonce.utf8.count), !asker.isEmpty, !plugin.isEmpty, !field.isEmpty,
            (1...Self.longest).contains(count), (3...Self.mostMembers).contains(least),
            epsilon >= 0.001, epsilon <= 16, bound >= 1, Double(bound) / epsilon <= Self.widest
        else { throw .question }
        self.nonce = nonce
        self.asker = asker
        self.plugin = plugin
        self.sql = sql
        self.field = field
        self.count = count
        self.least = least
        self.epsilon = epsilon
        self.bound = bound
        let asked: [(name: String, value: JSONValue)] = [
            ("asker", .string(asker)), ("plugin", .string(plugin)),
            ("sql", sql.map { .string($0) } ?? .null), ("field", .string(field)),
            ("count", .integer(Int64(count))), ("least", .integer(Int64(least))),
            ("epsilon", .real(epsilon)), ("bound", .integer(bound)), ("nonce", .string(nonce)),
        ]
        let words = Array("escrow answer question\n".utf8) + JSONWriter.line(.object(asked))
        id = Hex.string(SHA256.hash(data: words))
        json = .object([("id", .string(id))] + asked)
    }

    public let json: JSONValue

    init(_ node: JSONNode) throws {
        var reader = try JSONObjectReader(node)
        let id = try reader.required("id").requireString()
        let sql = try reader.required("sql")
        try self.init(
            asker: reader.required("asker").requireString(),
            plugin: reader.required("plugin").requireString(),
            sql: sql.value == .null ? nil : sql.requireString(),
            field: reader.required("field").requireString(),
            count: Int(reader.required("count").requireInteger()),
            least: Int(reader.required("least").requireInteger()),
            epsilon: reader.required("epsilon").requireReal(),
            bound: reader.required("bound").requireInteger(),
            nonce: reader.required("nonce").requireString())
        try reader.finish()
        guard id == self.id else { throw AnswerError.question }
    }

    /// Of the fewest members so many are presumed to put together what they know of the noise: a
    /// third, and two at least, who are the asker and a friend.
    var colluding: Int { max(2, (least + 2) / 3) }

    /// How many of the fewest members make the whole noise: those who are left.
    var honest: Int { max(1, least - colluding) }

    /// k of a deal. Above two thirds of those who were dealt to: were two halves of the members
    /// told different things, less than a third of them who help cannot open both.
    static func threshold(of members: Int) -> Int { 2 * members / 3 + 1 }
}
