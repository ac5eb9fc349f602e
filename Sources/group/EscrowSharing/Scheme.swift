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
