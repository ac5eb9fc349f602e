/// f(k, n, s): any k of n shares give the message back, fewer say nothing of it, and an upload is done when s servers took
/// theirs.
public struct Scheme: Sendable, Equatable {
    /// k: how many shares give the message back.
    public let threshold: Int
    /// n: how many shares there are, one a server.
    public let shares: Int
    /// s: how many servers must have taken theirs.
    public let accepted: Int

    /// - Throws: unless 2 ≤ k ≤ s ≤ n ≤ 255. With k = 1 each server would read the message.
    public init(threshold: Int, shares: Int, accepted: Int) throws(SharingError) {
        guard 2 <= threshold, threshold <= accepted, accepted <= shares, shares <= 255 else {
            throw .scheme
        }
        self.threshold = threshold
        self.shares = shares
        self.accepted = accepted
    }

    /// s = k: the sender is done early; a server that fails later can cost the message, and a resend.
    public static func senderFirst(threshold: Int, shares: Int) throws(SharingError) -> Scheme {
        try Scheme(threshold: threshold, shares: shares, accepted: threshold)
    }

    /// s = n: the sender goes on until every server took its share; a receiver can miss n − k of them.
    public static func receiverFirst(threshold: Int, shares: Int) throws(SharingError) -> Scheme {
        try Scheme(threshold: threshold, shares: shares, accepted: shares)
    }
}

/// Which servers took their share of one message. It is offered to all n, and is done when s took it.
public struct Upload: Sendable, Equatable {
    public let scheme: Scheme
    private var taken: Set<Int> = []

    public init(_ scheme: Scheme) { self.scheme = scheme }

    /// The numbers of the shares that no server took yet.
    public var open: [Int] { (1...scheme.shares).filter { !taken.contains($0) } }
    public var isDone: Bool { taken.count >= scheme.accepted }

    /// Notes that the server of this share has it. A second answer of the same server counts once.
    public mutating func accept(_ number: Int) {
        if (1...scheme.shares).contains(number) { taken.insert(number) }
    }
}
