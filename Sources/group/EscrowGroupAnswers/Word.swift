public import EscrowGroup
import EscrowJSON

/// What a member says in a question, signed. Words go to all members, through the group; each is
/// said once.
public struct Word: Sendable, Equatable {
    public let question: String
    public let sender: String
    public let content: Content

    public enum Content: Sendable, Equatable {
        /// The asker's: what is asked.
        case asked(Question)
        /// The asker's: who is in it from here on. 1: who gave a key; 2: who dealt; 3: whose
        /// numbers are added.
        case stage(Int, [String])
        /// Takes part: the public key of this question's pairwise masks.
        case key([UInt8])
        /// For each other member, sealed: their shares of both of the sender's secrets.
        case dealt([String: [UInt8]])
        /// The numbers, masked.
        case masked([UInt64])
        /// The sender's shares: of the own mask of those whose numbers are added, of the key of
        /// those who did not give any.
        case opened([String: [UInt8]])
    }

    public init(question: String, sender: String, content: Content) {
        self.question = question
        self.sender = sender
        self.content = content
    }

    /// The longest text of one that is read. That of a deal to the most members, 250 times two
    /// shares with 250 commitments each, has 5.5 million bytes.
    static let longest = 6 << 20

    /// What it is called among the words of its question. Its sender is in it, and devices take
    /// each name from that member alone and once (`Grouper`), so a second one replaces nothing.
    public var name: String {
        let kind =
            switch content {
            case .asked: "0-asked"
            case .key: "1-key"
            case .dealt: "2-dealt"
            case .masked: "3-masked"
            case .opened: "4-opened"
            case .stage(let number, _): "stage-\(number)"
            }
        return "\(question)/\(kind)/\(sender)"
    }

    private var json: JSONValue {
        func map(_ bytes: [String: [UInt8]]) -> JSONValue {
            .object(bytes.sorted { $0.key < $1.key }.map { ($0.key, .string(Base64.encode($0.value))) })
        }
        let body: (String, JSONValue) =
            switch content {
            case .asked(let question): ("asked", question.json)
            case .stage(let number, let members): ("stage-\(number)", .array(members.map { .string($0) }))
            case .key(let bytes): ("key", .string(Base64.encode(bytes)))
            case .dealt(let deals): ("dealt", map(deals))
            case .masked(let numbers): ("masked", .array(numbers.map { .integer(Int64($0)) }))
            case .opened(let shares): ("opened", map(shares))
            }
        return .object([
            ("question", .string(question)), ("sender", .string(sender)), (name: body.0, value: body.1),
        ])
    }

    private var statement: [UInt8] { Array("escrow answer word\n".utf8) + JSONWriter.line(json) }

    /// The word as it is sent.
    public func text(signedBy keys: MemberKeys) throws(AnswerError) -> String {
        guard let signature = try? keys.sign(statement), case .object(var members) = json else { throw .keys }
        members.append(("signature", .string(Base64.encode(signature))))
        return String(decoding: JSONWriter.line(.object(members)), as: UTF8.self)
    }

    /// Reads a word in a closed world, and checks that its sender, one of these members, signed it.
    public init(_ text: String, members: [String: MemberIdentity]) throws(AnswerError) {
        do {
            var object = try JSONObjectReader(JSONParser.parse(text, limits: .init(bytes: Self.longest)))
            question = try object.required("question").requireString()
            sender = try object.required("sender").requireString()
            let signature = try Self.bytes(object.required("signature"))
            content = try Self.content(&object)
            try object.finish()
            guard let identity = members[sender], identity.signed(signature, statement) else {
                throw AnswerError.malformed
            }
        } catch {
            throw .malformed
        }
    }

    private static func content(_ object: inout JSONObjectReader) throws -> Content {
        if let node = object.optional("asked") { return .asked(try Question(node)) }
        for number in 1...3 {
            if let node = object.optional("stage-\(number)") {
                return .stage(number, try node.requireArray().map { try $0.requireString() })
            }
        }
        if let node = object.optional("key") { return .key(try bytes(node)) }
        if let node = object.optional("dealt") { return .dealt(try map(node)) }
        if let node = object.optional("opened") { return .opened(try map(node)) }
        return .masked(
            try object.required("masked").requireArray().map {
                let number = try $0.requireInteger()
                guard number >= 0, number < Int64(Residues.modulus) else { throw AnswerError.malformed }
                return UInt64(number)
            })
    }

    private static func bytes(_ node: JSONNode) throws -> [UInt8] {
        guard let bytes = Base64.decode(try node.requireString()) else { throw AnswerError.malformed }
        return bytes
    }

    private static func map(_ node: JSONNode) throws -> [String: [UInt8]] {
        var map: [String: [UInt8]] = [:]
        for member in try node.requireMembers() { map[member.name] = try bytes(member.value) }
        return map
    }
}
