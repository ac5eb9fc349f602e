internal import EscrowGroup
internal import EscrowShareClient
internal import EscrowSharing

/// What a device knows of its group besides messages and objects.
struct Membership: Codable {
    var charter: Letter.Charter
    var meeting: Letter.Meeting
    var people: [String: Member.Profile]
    /// The owner's keys, by which letters are known.
    var owner: MemberIdentity
    /// The owner's alone: the master key at each server.
    var masters: [String] = []

    /// The servers, that of share 1 first; nil for an address that is none.
    var servers: [ServerAddress?] { meeting.places.map { ServerAddress($0.address) } }
    var scheme: Scheme? {
        try? Scheme(threshold: meeting.threshold, shares: meeting.places.count, accepted: meeting.accepted)
    }
}
