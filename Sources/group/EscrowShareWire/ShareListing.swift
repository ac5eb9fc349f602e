public import EscrowJSON

/// What a server has for a member, from a number on: one JSON object. A server is not trusted: who reads takes nothing of it
/// for granted but the form.
public struct ShareListing: Sendable, Equatable {
    /// One message's share. The name is the uploader's and the message's, with a dot between.
    public struct Entry: Sendable, Equatable {
        public let message: String
        public let bytes: [UInt8]

        public init(message: String, bytes: [UInt8]) {
            self.message = message
            self.bytes = bytes
        }
    }

    /// Which database it is: with another one, numbers begin again.
    public let store: String
    /// What to ask for next.
    public let next: Int64
    public let entries: [Entry]

    /// The longest listing that is read.
    public static let longest = 48 << 20

    public init(store: String, next: Int64, entries: [Entry]) {
        self.store = store
        self.next = next
        self.entries = entries
    }

    public var bytes: [UInt8] {
        let entries = entries.map {
            JSONValue.object([
                ("message", .string($0.message)), ("share", .string(Base64.encode($0.bytes))),
            ])
        }
        return JSONWriter.line([
            "store": .string(store), "next": .integer(next), "shares": .array(entries),
        ])
    }

    public init(_ bytes: [UInt8]) throws(JSONError) {
        var reader = try JSONObjectReader(
            JSONParser.parse(bytes, limits: .init(depth: 4, bytes: Self.longest, values: 400_000)))
        store = try reader.required("store").requireString()
        next = try reader.required("next").requireInteger()
        var entries: [Entry] = []
        for node in try reader.required("shares").requireArray() {
            var entry = try JSONObjectReader(node)
            let message = try entry.required("message").requireString()
            let text = try entry.required("share")
            try entry.finish()
            guard let share = Base64.decode(try text.requireString()), ShareName.isWhole(message) else {
                throw JSONError(.wrongType(expected: "base64"), at: text.position)
            }
            entries.append(Entry(message: message, bytes: share))
        }
        try reader.finish()
        self.entries = entries
    }
}
