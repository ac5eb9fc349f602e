public import EscrowDiagnostics

/// One change of the individual's decisions, as the ledger has it.
public struct GrantChange: Sendable {
    /// What was done.
    public enum Action: String, Sendable {
        case allowed
        case limited
        case denied
        case revoked
        case undone
        case reset
        case imported
        case restored

        /// Whether decisions come to those that there are.
        var adds: Bool {
            switch self {
            case .allowed, .limited, .denied, .imported: true
            case .revoked, .undone, .reset, .restored: false
            }
        }
    }

    /// `c-` and sixteen hexadecimal digits: by it a record and a file know each other after a crash.
    public let id: String
    /// What was done.
    public let action: Action
    /// The decisions that it is about: those that were made, or those that were taken back.
    public let grants: [Grant]
    /// The ids of decisions that it replaced; of an undo, those that it brought back.
    public let replaced: [String]
    /// The sheet that the decision is about, line by line; empty where it is about none.
    public let words: [String]

    init(_ action: Action, _ grants: [Grant], replaced: [String] = [], words: [String] = []) {
        id = GrantFile.newName("c-")
        self.action = action
        self.grants = grants
        self.replaced = replaced
        self.words = words
    }
}

/// Where changes of decisions are recorded: the ledger.
///
/// A change is written beside the file, then recorded, then put in the file's place. Whatever a crash leaves, the record
/// decides: with it the change is completed, without it dropped.
public protocol GrantJournal: Sendable {
    /// Records a change, durably, before it holds.
    func record(_ change: GrantChange) throws(Diagnostic)
    /// Whether a change was recorded.
    func hasRecord(of id: String) throws(Diagnostic) -> Bool
    /// Records that a change that a crash interrupted was completed, or dropped.
    func recordRepair(of id: String, wasCompleted: Bool) throws(Diagnostic)
}

/// Records nothing, and takes every interrupted change for one that never was.
public struct NoJournal: GrantJournal {
    /// Makes it.
    public init() {}
    public func record(_ change: GrantChange) {}
    public func hasRecord(of id: String) -> Bool { false }
    public func recordRepair(of id: String, wasCompleted: Bool) {}
}
