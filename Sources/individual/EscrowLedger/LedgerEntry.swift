public import EscrowJSON

public struct LedgerEntry: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case hostCreated = "host-created"
        case sourceAdded = "source-added"
        case sourceRemoved = "source-removed"
        case keyTrusted = "key-trusted"
        case keyRemoved = "key-removed"
        case keyRotated = "key-rotated"
        case pluginInstalled = "plugin-installed"
        case pluginRemoved = "plugin-removed"
        case grantChanged = "grant-changed"
        case decision
        /// The individual forgot identifiers, or another device took their place.
        case identifiersReset = "identifiers-reset"
        /// The individual set where a server of their own is, or took it back.
        case endpointChanged = "endpoint-changed"
        /// The individual keeps something else, or nothing any more, for a server. Never what it is.
        case credentialChanged = "credential-changed"
        case backedUp = "backed-up"
        /// The home came out of a backup: what is older was written before.
        case restored
        /// Written before any data is read.
        case runIntent = "run-intent"
        /// Written before a request is sent to the network: the one kind of record that holds data, what was sent.
        case egressSent = "egress-sent"
        /// How a request that was sent ended.
        case egressAnswered = "egress-answered"
        case egressRefused = "egress-refused"
        /// Written before the result is handed over.
        case runEnd = "run-end"
        /// A run whose process is gone before it ended: nothing was handed over.
        case runInterrupted = "run-interrupted"
        /// What a crash or damage left was put in order; says what was lost.
        case repaired
        /// The content of entries was erased: salt and fields are gone.
        case erased
        /// Entries lost detail with age: times in steps, fewer fields.
        case decayed
        case compacted
        case wallLowered = "wall-lowered"
        /// A restriction by somebody else was added, changed or taken back.
        case restrictionChanged = "restriction-changed"
        /// The individual's rules are others than at the run before; written before anything is decided by them.
        case preferencesChanged = "preferences-changed"
        /// A rule about places came or went, noise was drawn anew, or live location was decided about, began or ended.
        case locationChanged = "location-changed"
        /// A server was added, renewed or removed.
        case serverChanged = "server-changed"
    }

    /// The place in the ledger, from 1; the leaf's index in the tree is one less.
    public let sequence: UInt64
    /// When it was recorded; never before the entry before it.
    public let time: LedgerTime
    /// What the wall clock said, where it was behind the ledger's last time.
    public let clock: LedgerTime?
    public let kind: Kind
    public let run: String?
    /// What is known about it: an object, never with a value from the individual's data but for what was sent to the
    /// network.
    public let fields: JSONValue
    /// The salted commitment to the record, in hexadecimal: what remains of an entry whose content is erased.
    public let commitment: String
    /// What became of the entry's content; nil where all of it is there.
    public let reduced: Reduction?

    /// What a later entry says became of this one.
    public struct Reduction: Sendable, Equatable {
        public enum Way: String, Sendable, CaseIterable {
            /// All fields are gone; place, kind, run and time remain.
            case erased
            case decayed
        }
        public let way: Way
        /// The sequence number of the entry that says so.
        public let by: UInt64
    }
}
