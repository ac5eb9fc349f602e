internal import Crypto
internal import FoundationEssentials

/// What the owner tells members: who is in the group and the epoch's key, where the group meets, and, to somebody new, the
/// group's data. What is for all is sealed once, under a key of its own; a slip for each receiver holds that key, sealed for
/// this member and signed by the owner. So a letter grows with the members, and not with their square.
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
        public private(set) var places: [Place]

        public init(group: String, threshold: Int, accepted: Int, places: [Place]) {
            self.group = group
            self.threshold = threshold
            self.accepted = accepted
            self.places = places
        }

        /// The receiver's access keys, that of the first place first; none where they stay as they are.
        public var keys: [String] { places.map(\.key) }

        /// The same with the keys that are given, and its own where none is.
        public func taking(_ new: [String]) -> Meeting {
            with(
                places.enumerated().map { place, each in
                    place < new.count && !new[place].isEmpty ? new[place] : each.key
                })
        }

        /// The same with other keys: empty where there is none.
        func with(_ keys: [String]) -> Meeting {
            var meeting = self
            meeting.places = places.enumerated().map { place, each in
                Place(address: each.address, key: place < keys.count ? keys[place] : "")
            }
            return meeting
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
    public private(set) var meeting: Meeting
    public let copy: Copy?

    public init(
        charter: Charter, epoch: Epoch, people: [String: Member.Profile], meeting: Meeting,
        copy: Copy? = nil
    ) {
        self.charter = charter
        self.epoch = epoch
        self.people = people
        self.meeting = meeting
        self.copy = copy
    }

    private static let mark: [UInt8] = Array("ESL2".utf8)
    private static let keyBytes = 32

    /// Whether these bytes are a letter, to whomever.
    public static func isLetter(_ bytes: [UInt8]) -> Bool { bytes.starts(with: mark) }

    /// The letter as it is sent: how many slips there are (two bytes), each behind its receiver's label (eight) and its length
    /// (two), then what is for all. The slips are in no order, so that their places say nothing of their receivers either.
    ///
    /// - Parameter receivers: of each its own access keys, in the order of the places; none where they stay as they are.
    public func sealed(for receivers: [String: [String]], by owner: MemberKeys) throws(GroupError) -> [UInt8]
    {
        var open = self
        open.meeting = meeting.with([])
        let key = SymmetricKey(size: .bits256)
        guard receivers.count < 1 << 16, let payload = try? JSONEncoder().encode(open),
            let box = try? ChaChaPoly.seal(payload, using: key).combined
        else { throw .malformed }
        // The digest: another receiver has the key, too, and could seal other words under it.
        let secret = key.withUnsafeBytes { Array($0) } + Array(SHA256.hash(data: box))
        var bytes = Self.mark + Self.twoBytes(receivers.count)
        for (id, keys) in receivers.shuffled() {
            guard let receiver = epoch.members[id] else { throw .notAMember }
            guard let text = try? JSONEncoder().encode(keys) else { throw .malformed }
            let slip = try owner.seal(secret + Array(text), for: receiver, as: MemberKeys.letter)
            guard slip.count < 1 << 16 else { throw .malformed }
            bytes += Self.newLabel(of: receiver) + Self.twoBytes(slip.count) + slip
        }
        return bytes + Array(box)
    }

    /// Opens what the owner sealed for the member with these keys, among others.
    public init(_ bytes: [UInt8], for keys: MemberKeys, from owner: MemberIdentity) throws(GroupError) {
        guard Self.isLetter(bytes) else { throw .malformed }
        var rest = bytes.dropFirst(Self.mark.count)
        func take(_ count: Int) throws(GroupError) -> ArraySlice<UInt8> {
            guard rest.count >= count else { throw .malformed }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func takeNumber() throws(GroupError) -> Int { try take(2).reduce(0) { $0 << 8 | Int($1) } }
        let identity = keys.identity
        let steady = Self.steadyLabel(of: identity)
        var found: [UInt8]?
        for _ in 0..<(try takeNumber()) {
            let label = try take(8)
            let slip = try take(try takeNumber())
            let chance = label.prefix(4)
            if label.elementsEqual(chance + Self.mark(of: identity, Array(chance)))
                || label.elementsEqual(steady)
            {
                found = Array(slip)
            }
        }
        guard let found else { throw .notAMember }
        let secret = try keys.open(found, from: owner, as: MemberKeys.letter)
        let (key, digest) = (Array(secret.prefix(Self.keyBytes)), secret.dropFirst(Self.keyBytes).prefix(32))
        let box = Array(rest)
        guard digest.elementsEqual(SHA256.hash(data: box)),
            let sealed = try? ChaChaPoly.SealedBox(combined: box),
            let payload = try? ChaChaPoly.open(sealed, using: SymmetricKey(data: key))
        else { throw .notAuthentic }
        let decoder = JSONDecoder()
        guard let letter = try? decoder.decode(Letter.self, from: payload),
            let own = try? decoder.decode([String].self, from: Data(secret.dropFirst(Self.keyBytes + 32)))
        else { throw .malformed }
        self = letter
        meeting = letter.meeting.with(own)
    }

    /// By which a receiver finds its slip: four random bytes, and four that these and its keys make. Who does not know the keys
    /// cannot tell whether another letter goes to the same receiver.
    private static func newLabel(of receiver: MemberIdentity) -> [UInt8] {
        let chance = (0..<4).map { _ in UInt8.random(in: .min ... .max) }
        return chance + mark(of: receiver, chance)
    }

    private static func mark(of receiver: MemberIdentity, _ chance: [UInt8]) -> [UInt8] {
        let bytes = Array("escrow group slip 2\n".utf8) + chance + receiver.signing + receiver.agreement
        return Array(SHA256.hash(data: bytes).prefix(4))
    }

    /// The label of letters before: the same in each.
    private static func steadyLabel(of receiver: MemberIdentity) -> [UInt8] {
        let keys = Array("escrow group slip\n".utf8) + receiver.signing + receiver.agreement
        return Array(SHA256.hash(data: keys).prefix(8))
    }

    private static func twoBytes(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }
}
