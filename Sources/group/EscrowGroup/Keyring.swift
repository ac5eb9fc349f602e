internal import Crypto
internal import FoundationEssentials

/// The epochs that a member knows: it seals for the newest, and still opens what was sealed for the one before.
public struct Keyring: Sendable {
    private let keys: MemberKeys
    public private(set) var newest: Epoch
    private var before: Epoch?

    public init(_ keys: MemberKeys, _ epoch: Epoch) {
        self.keys = keys
        newest = epoch
    }

    /// What was kept: the newest epoch first.
    public init?(_ keys: MemberKeys, _ epochs: [Epoch]) {
        guard let newest = epochs.first else { return nil }
        self.init(keys, newest)
        before = epochs.dropFirst().first
    }

    /// What to keep.
    public var epochs: [Epoch] { [newest] + (before.map { [$0] } ?? []) }

    /// Under which epoch a message was sealed, as it says itself; nil for other bytes.
    public static func epoch(of bytes: [UInt8]) -> UInt64? {
        guard bytes.count > 12, bytes.starts(with: mark) else { return nil }
        return bytes[4..<12].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Takes the next epoch; false for one that is not newer or of another group: a server may bring old ones again.
    public mutating func take(_ epoch: Epoch) -> Bool {
        guard epoch.group == newest.group, epoch.number > newest.number else { return false }
        (before, newest) = (newest, epoch)
        return true
    }

    /// Begins an epoch that this member made.
    public mutating func begin(_ epoch: Epoch) { (before, newest) = (newest, epoch) }

    private static let mark: [UInt8] = Array("ESM1".utf8)

    private static func head(_ epoch: Epoch) -> [UInt8] {
        mark + (0..<8).map { UInt8(truncatingIfNeeded: epoch.number >> (56 - 8 * $0)) }
    }

    private static func statement(_ epoch: Epoch, _ message: [UInt8]) -> [UInt8] {
        head(epoch) + Array(SHA256.hash(data: Array(epoch.group.utf8))) + message
    }

    /// A message as it is split and sent: signed by its sender, then sealed. Servers see the epoch's number and
    /// the padded length.
    public func seal(_ message: Message) throws(GroupError) -> [UInt8] {
        do {
            let bytes = Padding.padded(message.bytes)
            let signature = try keys.signing.signature(for: Self.statement(newest, bytes))
            let box = try ChaChaPoly.seal(
                Array(signature) + bytes, using: SymmetricKey(data: newest.key),
                authenticating: Self.head(newest) + Array(newest.group.utf8))
            return Self.head(newest) + Array(box.combined)
        } catch {
            throw .notAuthentic
        }
    }

    /// Opens a message, and checks that who it says sent it did, and is a member still.
    public func open(_ bytes: [UInt8]) throws(GroupError) -> Message {
        guard
            let epoch = [newest, before].compactMap({ $0 }).first(where: { bytes.starts(with: Self.head($0)) }
            )
        else { throw bytes.starts(with: Self.mark) ? .unknownEpoch : .malformed }
        guard let box = try? ChaChaPoly.SealedBox(combined: bytes[12...]),
            let inside = try? ChaChaPoly.open(
                box, using: SymmetricKey(data: epoch.key),
                authenticating: Self.head(epoch) + Array(epoch.group.utf8)), inside.count > 64
        else { throw .notAuthentic }
        let (signature, text) = (Array(inside.prefix(64)), Array(inside.dropFirst(64)))
        let message = try Message(text)
        guard let sender = newest.members[message.senderId] else { throw .notAMember }
        guard sender.signed(signature, Self.statement(epoch, text)) else { throw .notAuthentic }
        return message
    }
}
