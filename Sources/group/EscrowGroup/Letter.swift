internal import FoundationEssentials

/// What the owner tells one member: who is in the group and the epoch's key, where the group meets, and, to somebody new, the
/// group's data. Signed by the owner, sealed for that member.
public struct Letter: Sendable, Equatable, Codable {
    /// What the owner chose when the group began.
    public struct Charter: Sendable, Equatable, Codable {
        public let name: String
        public let appId: String
        public let entities: [String]
        public let rule: Rule
        /// In milliseconds.
        public let timeToLive: Int64
        /// The owner's node.
        public let owner: String

        public init(
            name: String, appId: String, entities: [String], rule: Rule, timeToLive: Int64, owner: String
        ) {
            self.name = name
            self.appId = appId
            self.entities = entities
            self.rule = rule
            self.timeToLive = timeToLive
            self.owner = owner
        }
    }

    /// Where the group meets: f(k, n, s), and of each server its address and the receiver's access key.
    public struct Meeting: Sendable, Equatable, Codable {
        public struct Place: Sendable, Equatable, Codable {
            public let address: String
            public let key: String

            public init(address: String, key: String) {
                self.address = address
                self.key = key
            }
        }

        /// What the servers call the group; another name at other servers.
        public let group: String
        public let threshold: Int
        public let accepted: Int
        /// The server of share 1 first.
        public let places: [Place]

        public init(group: String, threshold: Int, accepted: Int, places: [Place]) {
            self.group = group
            self.threshold = threshold
            self.accepted = accepted
            self.places = places
        }
    }

    /// An object as it stands at the owner's.
    public struct Object: Sendable, Equatable, Codable {
        public let objectClass: String
        public let id: String
        public let version: ObjectVersion

        public init(objectClass: String, id: String, version: ObjectVersion) {
            self.objectClass = objectClass
            self.id = id
            self.version = version
        }
    }

    /// The owner's data, and up to where it holds each member's messages.
    public struct Copy: Sendable, Equatable, Codable {
        public let have: [String: UInt64]
        public let objects: [Object]

        public init(have: [String: UInt64], objects: [Object]) {
            self.have = have
            self.objects = objects
        }
    }

    public let charter: Charter
    public let epoch: Epoch
    public let people: [String: Member.Profile]
    public let meeting: Meeting
    /// Up to where the receiver's messages are in the data that each member got.
    public let having: [String: UInt64]
    public let copy: Copy?

    public init(
        charter: Charter, epoch: Epoch, people: [String: Member.Profile], meeting: Meeting,
        having: [String: UInt64], copy: Copy? = nil
    ) {
        self.charter = charter
        self.epoch = epoch
        self.people = people
        self.meeting = meeting
        self.having = having
        self.copy = copy
    }

    private static let mark: [UInt8] = Array("ESL1".utf8)

    /// Whether these bytes are a letter, to whomever.
    public static func isLetter(_ bytes: [UInt8]) -> Bool { bytes.starts(with: mark) }

    public func sealed(for member: String, by owner: MemberKeys) throws(GroupError) -> [UInt8] {
        guard let receiver = epoch.members[member] else { throw .notAMember }
        guard let payload = try? JSONEncoder().encode(self) else { throw .malformed }
        return Self.mark + (try owner.seal(Array(payload), for: receiver, as: MemberKeys.letter))
    }

    /// Opens what the owner sealed for the member with these keys.
    public init(_ bytes: [UInt8], for keys: MemberKeys, from owner: MemberIdentity) throws(GroupError) {
        guard Self.isLetter(bytes) else { throw .malformed }
        let payload = try keys.open(
            Array(bytes.dropFirst(Self.mark.count)), from: owner, as: MemberKeys.letter)
        guard let letter = try? JSONDecoder().decode(Letter.self, from: Data(payload)) else {
            throw .malformed
        }
        self = letter
    }
}
