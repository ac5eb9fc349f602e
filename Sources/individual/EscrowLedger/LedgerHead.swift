public import EscrowDiagnostics
import EscrowJSON

/// What a ledger's host signed last, as it is shown to others (C2SP tlog-checkpoint).
public struct LedgerHead: Sendable, Equatable {
    let note: SignedNote
    let checkpoint: Checkpoint

    /// The checkpoint with its signatures.
    public var text: String { note.note }
    public var ledger: String { checkpoint.ledger }
    /// How many entries there were.
    public var size: UInt64 { checkpoint.size }
    /// The root over them, in hexadecimal.
    public var root: String { Hex.string(checkpoint.root) }
    public var time: LedgerTime { checkpoint.time }

    init(note: SignedNote, checkpoint: Checkpoint) {
        self.note = note
        self.checkpoint = checkpoint
    }

    /// Reads a head that the host of that key signed; nil for any other text.
    public init?(text: String, host: some HeadVerifier) {
        guard let note = SignedNote(note: text), let checkpoint = Checkpoint(text: note.text),
            note.verdict(name: checkpoint.origin, verifier: host) == .good
        else { return nil }
        self.init(note: note, checkpoint: checkpoint)
    }
}

extension LedgerReader {
    /// The newest head.
    public func head() throws(Diagnostic) -> LedgerHead {
        let head = try examine().head
        return LedgerHead(note: head.line.note, checkpoint: head.checkpoint)
    }
}

extension LedgerProof {
    /// The newer head, of a proof that was verified.
    public var head: LedgerHead { LedgerHead(note: note, checkpoint: checkpoint) }
}
