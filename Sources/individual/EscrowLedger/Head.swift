/// The state that a writer goes on from: the newest checkpoint with its line, and the right edge of the tree.
struct Head: Sendable, Equatable {
    let line: CheckpointLine
    let frontier: MerkleFrontier
    /// The bytes of the line with its end.
    let lineBytes: [UInt8]

    init(line: CheckpointLine, frontier: MerkleFrontier) {
        self.line = line
        self.frontier = frontier
        lineBytes = line.bytes + [0x0A]
    }

    var checkpoint: Checkpoint { line.checkpoint }
    var size: UInt64 { checkpoint.size }
    var time: LedgerTime { checkpoint.time }
    var end: Int64 { checkpoint.offset + Int64(lineBytes.count) }
    var page: HeadPage { HeadPage(note: line.note, checkpoint: checkpoint, frontier: frontier) }
}
