public import EscrowDiagnostics

/// What a share service keeps, and how. Times are milliseconds; of keys it is given digests.
public protocol ShareStore: AnyObject {
    /// Which database this is: with another one, numbers begin again.
    var name: String { get }
    /// What all shares together may take here.
    var capacity: Int64 { get }
    /// How many groups there are.
    func groups() throws(Diagnostic) -> Int64
    /// Begins a group with its owner as the first member; false where there is one of that name.
    func begin(_ group: String, owner: String, timeToLive: Int64, master: [UInt8], access: [UInt8])
        throws(Diagnostic) -> Bool
    /// Forgets a group with all that belongs to it.
    func end(_ group: String) throws(Diagnostic)
    /// Somebody asked for something of the group.
    func use(_ group: String, at now: Int64) throws(Diagnostic)
    /// Forgets groups that nobody used for as long as their shares live, and at least so long; asked now and then.
    func letGo(at now: Int64, least: Int64) throws(Diagnostic)
    func members(of group: String) throws(Diagnostic) -> Int64
    /// Adds a member, or gives one that is there another key.
    func admit(_ node: String, to group: String, access: [UInt8]) throws(Diagnostic)
    /// Forgets a member and all shares of theirs.
    func expel(_ node: String, from group: String) throws(Diagnostic)
    func isMaster(_ key: [UInt8], of group: String) throws(Diagnostic) -> Bool
    /// Whose access key it is; nil for nobody's.
    func node(of key: [UInt8], in group: String) throws(Diagnostic) -> String?
    /// Keeps a share unless one of that name is there, or there is no room for it.
    func put(_ share: NewShare, atMost quota: ShareQuota) throws(Diagnostic) -> PutOutcome
    /// Shares of others that are not due, after a number, in the order in which they came; as many as fit, one at least.
    func shares(of group: String, after number: Int64, for node: String, at now: Int64, atMost bytes: Int)
        throws(Diagnostic) -> (next: Int64, entries: [KeptShare])
    /// Deletes what is due, so that nothing of it is in any file of the store.
    func sweep(at now: Int64) throws(Diagnostic)
}

/// A share as it comes.
public struct NewShare: Sendable {
    public let group: String
    public let message: String
    public let node: String
    public let bytes: [UInt8]
    public let at: Int64

    public init(group: String, message: String, node: String, bytes: [UInt8], at: Int64) {
        (self.group, self.message, self.node) = (group, message, node)
        (self.bytes, self.at) = (bytes, at)
    }
}

/// A share as it is given out.
public struct KeptShare: Sendable {
    /// Its uploader and its message, with a dot between.
    public let message: String
    public let bytes: [UInt8]

    public init(message: String, bytes: [UInt8]) {
        self.message = message
        self.bytes = bytes
    }
}

/// What became of a share.
public enum PutOutcome: Sendable, Equatable {
    case kept
    /// The very same is there.
    case there
    /// Another one is there.
    case taken
    /// The group, the member or the store holds as much as it may.
    case full
}
