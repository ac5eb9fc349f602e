public import EscrowJSON

/// What a server is told when a group begins. It learns neither the group's name nor anybody's.
public struct Opening: Sendable, Equatable {
    public let group: String
    /// The owner's node.
    public let node: String
    /// How long a share is kept, in milliseconds.
    public let timeToLive: Int64

    public init(group: String, node: String, timeToLive: Int64) {
        self.group = group
        self.node = node
        self.timeToLive = timeToLive
    }

    public var bytes: [UInt8] {
        JSONWriter.line([
            "group": .string(group), "node": .string(node), "timeToLive": .integer(timeToLive),
        ])
    }

    public init(_ bytes: [UInt8]) throws(JSONError) {
        var reader = try JSONObjectReader(JSONParser.parse(bytes))
        group = try reader.required("group").requireString()
        node = try reader.required("node").requireString()
        timeToLive = try reader.required("timeToLive").requireInteger()
        try reader.finish()
    }
}

/// The keys that a server gives out, once: the owner's master key when a group begins, and a member's own.
public struct AccessKeys: Sendable, Equatable {
    public let access: String
    public let master: String?

    public init(access: String, master: String? = nil) {
        self.access = access
        self.master = master
    }

    public var bytes: [UInt8] {
        var members: [(name: String, value: JSONValue)] = [("accessKey", .string(access))]
        if let master { members.append(("masterKey", .string(master))) }
        return JSONWriter.line(.object(members))
    }

    public init(_ bytes: [UInt8]) throws(JSONError) {
        var reader = try JSONObjectReader(JSONParser.parse(bytes))
        access = try reader.required("accessKey").requireString()
        master = try reader.optional("masterKey")?.requireString()
        try reader.finish()
    }
}
