import EscrowDiagnostics
import EscrowJSON

/// The line that ends the records of one write: `{"checkpoint":"…","open":[…]}`.
struct CheckpointLine: Sendable, Equatable {
    let note: SignedNote
    let checkpoint: Checkpoint
    let open: [OpenRun]

    static let opening = Array(#"{"checkpoint":"#.utf8)

    init(_ checkpoint: Checkpoint, open: [OpenRun], signer: some HeadSigner) throws(Diagnostic) {
        self.checkpoint = checkpoint
        self.open = open
        note = try SignedNote(text: checkpoint.text, name: checkpoint.origin, signer: signer)
    }

    /// The bytes of the line, without its end.
    var bytes: [UInt8] {
        JSONWriter.line(["checkpoint": .string(note.note), "open": .array(open.map(\.json))])
    }

    /// Takes a line apart; nil for one that contradicts itself or has another spelling. The signature is not checked.
    init?(_ line: [UInt8]) {
        guard line.starts(with: Self.opening), line.count <= RecordLine.maximumLine,
            let draft = try? Draft(line), let note = SignedNote(note: draft.note),
            let checkpoint = Checkpoint(text: note.text), draft.open.count <= OpenRun.maximum,
            OpenRun.digest(draft.open) == checkpoint.open
        else { return nil }
        self.note = note
        self.checkpoint = checkpoint
        open = draft.open
        guard bytes == line else { return nil }
    }

    private struct Draft {
        let note: String
        var open: [OpenRun] = []

        init(_ line: [UInt8]) throws(JSONError) {
            var object = try JSONObjectReader(try JSONParser.parse(line, limits: .init(depth: 4)))
            note = try object.required("checkpoint").requireString()
            for item in try object.required("open").requireArray() { open.append(try OpenRun(item)) }
            try object.finish()
        }
    }
}
