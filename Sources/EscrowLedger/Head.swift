/// The state that a writer goes on from: the newest checkpoint with its line, and the right edge of the tree.
struct Head: Sendable, Equatable {
    /// The line that ends the log.
    let line: CheckpointLine
    /// The tree of all records.
    let frontier: MerkleFrontier
    /// The bytes of the line with its end.
    let lineBytes: [UInt8]

    init(line: CheckpointLine, frontier: MerkleFrontier) {
        self.line = line
        self.frontier = frontier
        lineBytes = line.bytes + [0x0A]
    }

    var checkpoint: Checkpoint { line.checkpoint }
    /// How many records there are.
    var size: UInt64 { checkpoint.size }
    /// The time of the last one.
    var time: LedgerTime { checkpoint.time }
    /// The length of the log.
    var end: Int64 { checkpoint.offset + Int64(lineBytes.count) }
    /// The page that vouches for it.
    var page: HeadPage { HeadPage(note: line.note, checkpoint: checkpoint, frontier: frontier) }
}
