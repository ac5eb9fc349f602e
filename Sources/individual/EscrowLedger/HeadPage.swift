import EscrowJSON

/// One of the two pages of a file of heads: the newest checkpoint, and what it takes to add to its tree.
///
/// The pages take turns, so that a write that is cut off leaves the other one whole. The file lies beside the log, and a
/// copy of it elsewhere: a log that was cut off or put back cannot also be older than both.
struct HeadPage: Sendable, Equatable {
    let note: SignedNote
    let checkpoint: Checkpoint
    /// The right edge of its tree.
    let frontier: MerkleFrontier

    /// The bytes of a page: a block of the disk, written in one piece.
    static let size = 4096
    static let count = 2

    init(note: SignedNote, checkpoint: Checkpoint, frontier: MerkleFrontier) {
        self.note = note
        self.checkpoint = checkpoint
        self.frontier = frontier
    }

    /// The bytes of the page: one line of JSON, spaces, a line end.
    var bytes: [UInt8] {
        var bytes = JSONWriter.line([
            "checkpoint": .string(note.note),
            "frontier": .array(frontier.peaks.map { .string(Base64.encode($0)) }),
        ])
        bytes += [UInt8](repeating: 0x20, count: max(0, Self.size - 1 - bytes.count))
        bytes.append(0x0A)
        return bytes
    }

    enum Refusal: Error, Equatable {
        /// Never written.
        case blank
        /// Altered, or a write that did not finish.
        case unsound
        case foreignKey
    }

    /// Reads a page and checks every byte of it.
    init(_ bytes: [UInt8], verifier: some HeadVerifier) throws(Refusal) {
        guard bytes.contains(where: { $0 != 0 }) else { throw .blank }
        guard bytes.count == Self.size, let draft = try? Draft(bytes),
            let note = SignedNote(note: draft.note),
            let checkpoint = Checkpoint(text: note.text)
        else { throw .unsound }
        switch note.verdict(name: checkpoint.origin, verifier: verifier) {
        case .good: break
        case .foreign: throw .foreignKey
        case .bad: throw .unsound
        }
        guard let frontier = MerkleFrontier(size: checkpoint.size, peaks: draft.frontier),
            frontier.root == checkpoint.root
        else { throw .unsound }
        self.init(note: note, checkpoint: checkpoint, frontier: frontier)
        // One content has one spelling.
        guard self.bytes == bytes else { throw .unsound }
    }

    private struct Draft {
        let note: String
        var frontier: [[UInt8]] = []

        init(_ bytes: [UInt8]) throws(JSONError) {
            var object = try JSONObjectReader(try JSONParser.parse(bytes, limits: .init(depth: 4)))
            note = try object.required("checkpoint").requireString()
            for peak in try object.required("frontier").requireArray() {
                frontier.append(Base64.decode(try peak.requireString()) ?? [])
            }
            try object.finish()
        }
    }
}
