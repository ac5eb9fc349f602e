import EscrowDiagnostics

/// The lines of a log from an offset back to its beginning, read in pieces: memory does not grow with the ledger.
struct LogLinesBackward {
    private let file: LogFile
    private let piece: Int
    /// Where the piece that is held begins in the file.
    private var offset: Int64
    private var buffer: [UInt8] = []
    /// Where in the piece the line that was given out last begins.
    private var end = 0

    /// Reads back from an offset, where a line must end.
    init(_ file: LogFile, before offset: Int64, piece: Int = 256 * 1024) {
        self.file = file
        self.piece = piece
        self.offset = offset
    }

    var position: Int64 { offset + Int64(end) }

    /// The line before, or nil at the beginning.
    mutating func next() throws(Diagnostic) -> LogLines.Line? {
        // The line's own end is no end of the one before.
        var searched = end - 1
        while true {
            if let found = lineEnd(before: searched) { return take(from: found + 1) }
            guard offset > 0 else { return end > 0 ? take(from: 0) : nil }
            if end > RecordLine.maximumLine + 1 { return take(from: 0) }
            let count = Int(min(Int64(piece), offset))
            let bytes = try file.read(at: offset - Int64(count), count)
            guard bytes.count == count else { return .broken(bytes) }
            buffer = bytes + buffer[..<end]
            offset -= Int64(count)
            end += count
            searched = min(count, end - 1)
        }
    }

    private mutating func take(from start: Int) -> LogLines.Line {
        defer { end = start }
        let line = buffer[start..<end]
        // What is longer than any line is none, even where its beginning was not read.
        guard line.last == 0x0A, line.count <= RecordLine.maximumLine + 1 else { return .broken(Array(line)) }
        return .whole(Array(line.dropLast()))
    }

    private func lineEnd(before index: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            var index = index
            while index > 0 {
                index -= 1
                if bytes[index] == 0x0A { return index }
            }
            return nil
        }
    }
}

/// The records of a log, the latest first. Each must be the one of its place.
struct LogWalkBackward {
    private let log: LogFile
    private var lines: LogLinesBackward
    /// The number of the next record; below a gap only the highest that it can have, as the gap does not tell where it begins.
    private var number: UInt64
    private var isExact = true

    init(_ log: LogFile, before place: LogPlace) {
        self.log = log
        lines = LogLinesBackward(log, before: place.offset)
        number = place.number
    }

    /// The next older record of which something is left; nil at the beginning.
    mutating func next() throws(Diagnostic) -> LedgerEntry? {
        while let next = try lines.next() {
            let line = try log.line(next, at: lines.position).line
            switch line {
            case .checkpoint: break
            case .header:
                guard !isExact || number == 0 else { throw wrongOrder(expected: 1, found: number + 1) }
            case .gap(let gap):
                try check(gap.through)
                number = gap.through - 1
                isExact = false
            case .record, .reduced:
                let entry = try log.entry(line, at: lines.position)
                guard number > 0 else { throw wrongOrder(expected: 0, found: entry?.sequence ?? 1) }
                if let entry {
                    try check(entry.sequence)
                    isExact = true
                    number = entry.sequence
                }
                number -= 1
                if let entry { return entry }
            }
        }
        return nil
    }

    private func check(_ found: UInt64) throws(Diagnostic) {
        guard isExact ? found == number : found <= number else {
            throw wrongOrder(expected: number, found: found)
        }
    }

    private func wrongOrder(expected: UInt64, found: UInt64) -> Diagnostic {
        .wrongOrder(log.path, log.lineNumber(at: lines.position), expected: expected, found: found)
    }
}

extension LogFile {
    /// The place before the line that has a record, or has the first of those after it that are there. Found by halving, since
    /// most lines tell a number: takes about the same time for any length.
    func place(of record: UInt64, to end: Int64, window: Int64 = 256 * 1024) throws(Diagnostic) -> LogPlace {
        var low = LogPlace()
        var high = end
        while high - low.offset > window {
            let middle = low.offset + (high - low.offset) / 2
            if let told = try firstTold(after: middle, to: high), told.number < record {
                low = told
            } else {
                high = middle
            }
        }
        var walk = LogWalk(self, from: low, to: end)
        repeat { low = walk.place } while try walk.next() != nil && walk.place.number < record
        return low
    }

    /// The place after the first line that tells a number, of those that begin after an offset and end before another.
    private func firstTold(after offset: Int64, to limit: Int64) throws(Diagnostic) -> LogPlace? {
        var lines = LogLines(self, from: offset, to: limit)
        // The offset lies anywhere in a line.
        guard case .whole? = try lines.next() else { return nil }
        while true {
            let start = lines.position
            guard let next = try lines.next(), case .whole = next else { return nil }
            let line = try line(next, at: start).line
            let number: UInt64? =
                switch line {
                case .record, .reduced: try entry(line, at: start)?.sequence
                case .gap(let gap): gap.through
                case .checkpoint(let line): line.checkpoint.size
                case .header: nil
                }
            if let number { return LogPlace(offset: lines.position, number: number) }
        }
    }
}
