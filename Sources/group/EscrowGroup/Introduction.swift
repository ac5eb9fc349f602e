public import EscrowJSON

/// What somebody who wants to join hands to the owner, face to face: who they are, and their keys. It holds no secret; the code
/// is compared by word of mouth, so that nobody puts other keys in.
public struct Introduction: Sendable, Equatable {
    public let profile: Member.Profile
    public let identity: MemberIdentity

    public init(_ profile: Member.Profile, _ identity: MemberIdentity) {
        self.profile = profile
        self.identity = identity
    }

    public var json: JSONValue {
        [
            "node": .string(profile.id), "name": .string(profile.name), "email": .string(profile.email),
            "keys": .string(identity.text),
        ]
    }

    public init(_ bytes: [UInt8]) throws(GroupError) {
        guard let node = try? JSONParser.parse(bytes) else { throw .malformed }
        try self.init(node)
    }

    public init(_ node: JSONNode) throws(GroupError) {
        do throws(any Error) {
            var reader = try JSONObjectReader(node)
            let id = try reader.required("node").requireString()
            let name = try reader.required("name").requireString()
            let email = try reader.required("email").requireString()
            guard !id.isEmpty else { throw GroupError.malformed }
            profile = Member.Profile(id: id, email: email, name: name)
            identity = try MemberIdentity(reader.required("keys").requireString())
            try reader.finish()
        } catch {
            throw .malformed
        }
    }

    /// Five groups of four characters, 80 bits: nobody finds another introduction with the same.
    public var code: String {
        MemberIdentity.groups(5, of: Array("escrow introduction\n".utf8) + JSONWriter.line(json))
            .joined(separator: "-")
    }
}
