internal import EscrowJSON

extension Message {
    /// The message as one JSON object.
    public var bytes: [UInt8] { JSONWriter.line(json) }

    private var json: JSONValue {
        let type: String
        let content: JSONValue
        switch self.content {
        case .update(let object): (type, content) = ("update", .string(object))
        case .delete(let object): (type, content) = ("delete", .string(object))
        case .confirm(let newest, let have):
            type = "confirm"
            let have = have.sorted { $0.key < $1.key }.map { (name: $0.key, value: Self.number($0.value)) }
            content = .object([("newest", Self.number(newest)), ("have", .object(have))])
        case .resend(let range):
            type = "resend"
            content = .array([Self.number(range.lowerBound), Self.number(range.upperBound)])
        }
        let receivers: JSONValue =
            switch receiverId {
            case .everybody: .string("*")
            case .some(let members): .array(members.map { .string($0) })
            }
        return .object([
            ("type", .string(type)), ("content", content), ("sequence", Self.number(sequence)),
            ("class", .string(objectClass)), ("objectId", .string(objectId)), ("receiverId", receivers),
            ("senderId", .string(senderId)), ("email", .string(email)), ("name", .string(name)),
            ("sentTime", .integer(sentTime)),
        ])
    }

    private static func number(_ value: UInt64) -> JSONValue { .integer(Int64(clamping: value)) }

    private enum Word: String, CaseIterable { case update, delete, confirm, resend }

    /// Reads a message in a closed world: a member that is unknown or missing, a number that does not fit its type, is refused.
    public init(_ bytes: [UInt8]) throws(GroupError) {
        do throws(any Error) {
            var object = try JSONObjectReader(JSONParser.parse(bytes, limits: .init(bytes: 16 << 20)))
            let word = try object.required("type").requireWord(Word.self)
            let content = try object.required("content")
            sequence = try Self.number(object.required("sequence"))
            objectClass = try object.required("class").requireString()
            objectId = try object.required("objectId").requireString()
            receiverId = try Self.receivers(object.required("receiverId"))
            senderId = try object.required("senderId").requireString()
            email = try object.required("email").requireString()
            name = try object.required("name").requireString()
            sentTime = try object.required("sentTime").requireInteger()
            try object.finish()
            switch word {
            case .update: self.content = .update(try content.requireString())
            case .delete: self.content = .delete(try content.requireString())
            case .confirm: self.content = try Self.confirm(content)
            case .resend: self.content = try Self.resend(content)
            }
            let isControl = word == .confirm || word == .resend
            guard isControl == (sequence == 0), isControl == objectId.isEmpty, !senderId.isEmpty else {
                throw GroupError.malformed
            }
        } catch {
            throw .malformed
        }
    }

    private static func number(_ node: JSONNode) throws -> UInt64 {
        // One below the greatest, so that one can always be added.
        guard let value = UInt64(exactly: try node.requireInteger()), value < UInt64(Int64.max) else {
            throw GroupError.malformed
        }
        return value
    }

    private static func receivers(_ node: JSONNode) throws -> Receivers {
        if case .string(let text) = node.content {
            guard text == "*" else { throw GroupError.malformed }
            return .everybody
        }
        return .some(try node.requireArray().map { try $0.requireString() })
    }

    private static func confirm(_ node: JSONNode) throws -> Content {
        var object = try JSONObjectReader(node)
        let newest = try number(object.required("newest"))
        var have: [String: UInt64] = [:]
        for member in try object.required("have").requireMembers() {
            have[member.name] = try number(member.value)
        }
        try object.finish()
        return .confirm(newest: newest, have: have)
    }

    private static func resend(_ node: JSONNode) throws -> Content {
        let ends = try node.requireArray().map { try number($0) }
        guard ends.count == 2, 1 <= ends[0], ends[0] <= ends[1] else { throw GroupError.malformed }
        return .resend(ends[0]...ends[1])
    }
}
