/// What a server answered when its share of one message was asked for.
public struct Reply: Sendable {
    /// What the server is called to the reader.
    public let server: String
    /// The number of the share that this server was given.
    public let number: UInt8
    public let bytes: [UInt8]

    public init(server: String, number: UInt8, bytes: [UInt8]) {
        self.server = server
        self.number = number
        self.bytes = bytes
    }
}

/// A message that was put together of what servers answered, and which of them answered something else.
public struct Combination: Sendable, Equatable {
    /// What is wrong with a server's answer.
    public enum Fault: Sendable, Equatable {
        /// Not a share at all.
        case unreadable
        /// A share of another server's, or of another scheme: two liars could else say that two shares are enough.
        case foreign
        /// The values are not those that were committed to.
        case altered
        /// A share of another message, or of another splitting of this one: stale, or forged as a whole.
        case stale
    }

    /// The message; nil unless k shares of one splitting came.
    public let message: [UInt8]?
    /// Each server that answered wrongly.
    public let faults: [String: Fault]

    /// Puts a message together. Shares that carry the same commitments belong together; k of them that keep their commitments
    /// give a message, and the digest inside says whether it is the one that was split.
    public init(_ replies: [Reply], scheme: Scheme) {
        var faults: [String: Fault] = [:]
        var sets: [[(server: String, share: Share)]] = []
        for reply in replies {
            guard let share = try? Share(reply.bytes) else {
                faults[reply.server] = .unreadable
                continue
            }
            guard share.number == reply.number, Int(share.threshold) == scheme.threshold,
                share.commitments.count == scheme.shares
            else {
                faults[reply.server] = .foreign
                continue
            }
            guard share.isWhole else {
                faults[reply.server] = .altered
                continue
            }
            if let index = sets.firstIndex(where: { $0[0].share.belongs(with: share) }) {
                // One number counts once, whatever the caller was told twice.
                if !sets[index].contains(where: { $0.share.number == share.number }) {
                    sets[index].append((reply.server, share))
                }
            } else {
                sets.append([(reply.server, share)])
            }
        }
        // The greatest set first: fewer than k liars cannot make one that is read.
        sets.sort { $0.count > $1.count }
        var message: [UInt8]?
        var found: Int?
        for (index, set) in sets.enumerated() {
            if let opened = Self.open(set.map(\.share)) {
                (message, found) = (opened, index)
                break
            }
        }
        if let found {
            for (index, set) in sets.enumerated() where index != found {
                for (server, _) in set { faults[server] = .stale }
            }
        }
        self.message = message
        self.faults = faults
    }

    private static func open(_ shares: [Share]) -> [UInt8]? {
        guard let first = shares.first, shares.count >= Int(first.threshold) else { return nil }
        let values = shares.prefix(Int(first.threshold)).map { (place: $0.number, bytes: $0.values) }
        let bytes = Field.standard.secret(of: values)
        let message = Array(bytes.dropLast(Share.hashSize))
        let digest = Share.digest(
            of: message, threshold: Int(first.threshold), shares: first.commitments.count)
        return Array(bytes.suffix(Share.hashSize)) == digest ? message : nil
    }
}

extension Share {
    fileprivate func belongs(with other: Share) -> Bool {
        commitments == other.commitments && values.count == other.values.count
    }
}
