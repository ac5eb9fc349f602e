import EscrowJSON

/// A line of the log, by what it begins with.
enum LogLine: Sendable, Equatable {
    case header(LogHeader)
    case record(RecordLine)
    case reduced(ReducedLine)
    case gap(GapLine)
    case checkpoint(CheckpointLine)

    /// Takes a line apart; commitments are checked, signatures are not.
    init(_ line: [UInt8]) throws(RecordLine.Refusal) {
        if line.starts(with: RecordLine.opening) {
            if let reduced = ReducedLine(line) {
                self = .reduced(reduced)
            } else {
                self = .record(try RecordLine(line))
            }
        } else if line.starts(with: CheckpointLine.opening) {
            guard let checkpoint = CheckpointLine(line) else { throw .malformed }
            self = .checkpoint(checkpoint)
        } else if let header = LogHeader(line) {
            self = .header(header)
        } else if let gap = GapLine(line) {
            self = .gap(gap)
        } else {
            throw .malformed
        }
    }

    /// What the line says of a record; nil where it says nothing of one.
    func entry() throws(RecordLine.Refusal) -> LedgerEntry? {
        switch self {
        case .record(let line): try line.entry()
        case .reduced(let line): try line.entry()
        case .header, .gap, .checkpoint: nil
        }
    }

    /// The bytes of the line, without its end.
    var bytes: [UInt8] {
        switch self {
        case .header(let line): line.bytes
        case .record(let line): line.bytes
        case .reduced(let line): line.bytes
        case .gap(let line): line.bytes
        case .checkpoint(let line): line.bytes
        }
    }
}

/// The first line of a log: `{"escrow-ledger":2,"ledger":"…","file":1}`.
struct LogHeader: Sendable, Equatable {
    let ledger: String
    let generation: UInt64

    var bytes: [UInt8] {
        JSONWriter.line([
            "escrow-ledger": 2, "ledger": .string(ledger), "file": .integer(Int64(clamping: generation)),
        ])
    }

    init(ledger: String, generation: UInt64) {
        self.ledger = ledger
        self.generation = generation
    }

    init?(_ line: [UInt8]) {
        guard let node = try? JSONParser.parse(line, limits: .init(depth: 1, bytes: 1024, values: 8)),
            let ledger = node.value["ledger"]?.string, let file = node.value["file"]?.integer, file > 0
        else { return nil }
        self.init(ledger: ledger, generation: UInt64(file))
        guard bytes == line else { return nil }
    }
}

/// Records that are not in the log any more, and the roots over them: `{"gone":12,"by":40,"why":"compacted","peaks":[…]}`.
///
/// All that a proof about any other record needs of them are the roots of the perfect subtrees that they fill.
struct GapLine: Sendable, Equatable {
    enum Reason: String, Sendable, CaseIterable {
        case compacted
        case lost
    }
    /// The tree of all records up to the last that is gone.
    let frontier: MerkleFrontier
    let by: UInt64
    let reason: Reason

    var through: UInt64 { frontier.size }

    var bytes: [UInt8] {
        JSONWriter.line([
            "gone": .integer(Int64(clamping: through)), "by": .integer(Int64(clamping: by)),
            "why": .string(reason.rawValue),
            "peaks": .array(frontier.peaks.map { .string(Base64.encode($0)) }),
        ])
    }

    init(frontier: MerkleFrontier, by: UInt64, reason: Reason) {
        self.frontier = frontier
        self.by = by
        self.reason = reason
    }

    init?(_ line: [UInt8]) {
        guard let node = try? JSONParser.parse(line, limits: .init(depth: 2, bytes: 8192, values: 80)),
            let through = node.value["gone"]?.integer, through > 0, let by = node.value["by"]?.integer,
            by > 0,
            let reason = node.value["why"]?.string.flatMap({ Reason(rawValue: $0) }),
            let peaks = node.value["peaks"]?.array,
            let frontier = MerkleFrontier(
                size: UInt64(through), peaks: peaks.map { $0.string.flatMap { Base64.decode($0) } ?? [] })
        else { return nil }
        self.init(frontier: frontier, by: UInt64(by), reason: reason)
        guard bytes == line else { return nil }
    }
}
