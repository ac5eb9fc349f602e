/// One message between members: the ten members of the thesis's table 4.3.
public struct Message: Sendable, Equatable, Codable {
    /// What it is and carries.
    public enum Content: Sendable, Equatable, Codable {
        /// An object as the app's synchronisation wrote it.
        case update(String)
        /// An object is gone; what the app's synchronisation wrote says as of when.
        case delete(String)
        /// The newest number of the sender's, and up to where it has everybody's without a gap.
        case confirm(newest: UInt64, have: [String: UInt64])
        /// Numbers of the receiver's that the sender misses.
        case resend(ClosedRange<UInt64>)
    }

    public enum Receivers: Sendable, Equatable, Codable {
        case everybody
        case some([String])

        /// Whether the message is for this member.
        public func include(_ member: String) -> Bool {
            switch self {
            case .everybody: true
            case .some(let members): members.contains(member)
            }
        }
    }

    public let content: Content
    /// The sender's number of a normal message, from 1 without a gap; 0 for confirm and resend.
    public let sequence: UInt64
    /// The object's class and identifier; empty for confirm and resend.
    public let objectClass: String
    public let objectId: String
    public var receiverId: Receivers
    public let senderId: String
    public let email: String
    public let name: String
    /// Milliseconds since 1970 by the sender's clock, which may be wrong: nothing in this protocol hangs on it.
    public let sentTime: Int64

    /// Update or delete: what has a number and is sent again.
    public var isNormal: Bool { sequence != 0 }
}
