import EscrowDiagnostics

/// A place between two lines of a log, and the number of the record before it.
struct LogPlace: Equatable {
    var offset: Int64 = 0
    var number: UInt64 = 0
}

/// The lines of a log in order, each taken apart, with the number of the record that it is or leads to.
struct LogWalk {
    private let log: LogFile
    private var lines: LogLines
    private let end: Int64
    private var sequence: UInt64

    struct Item {
        let line: LogLine
        let bytes: [UInt8]
        let offset: Int64
        /// The number of the record; of any other line that of the record before it.
        let sequence: UInt64
        fileprivate let log: LogFile
        /// The number of the line, for an error.
        var number: UInt64 { log.lineNumber(at: offset) }
    }

    /// Reads a log from its beginning, or from a place on, to where its newest checkpoint ends.
    init(_ log: LogFile, from place: LogPlace = LogPlace(), to end: Int64) {
        self.log = log
        lines = LogLines(log, from: place.offset, to: end)
        sequence = place.number
        self.end = end
    }

    /// The place after the last line that was read.
    var place: LogPlace { LogPlace(offset: lines.position, number: sequence) }
    /// The number of that line, for an error.
    var lineNumber: UInt64 { log.lineNumber(at: lines.position) - 1 }

    /// The next line; throws where one is none. Each record must be the one of its place.
    mutating func next() throws(Diagnostic) -> Item? {
        let offset = lines.position
        guard let next = try lines.next() else {
            guard offset == end else { throw .cutOff(log.path, count: sequence, signed: sequence + 1) }
            return nil
        }
        let (line, bytes) = try log.line(next, at: offset)
        switch line {
        case .record, .reduced: sequence += 1
        case .gap(let gap):
            guard gap.through > sequence else {
                throw .wrongOrder(
                    log.path, log.lineNumber(at: offset), expected: sequence + 1, found: gap.through)
            }
            sequence = gap.through
        case .header, .checkpoint: break
        }
        return Item(line: line, bytes: bytes, offset: offset, sequence: sequence, log: log)
    }

    func entry(_ item: Item) throws(Diagnostic) -> LedgerEntry? {
        let entry = try log.entry(item.line, at: item.offset)
        if let entry, entry.sequence != item.sequence {
            throw .wrongOrder(log.path, item.number, expected: item.sequence, found: entry.sequence)
        }
        return entry
    }
}

extension LogFile {
    /// A line taken apart, and its bytes without its end.
    func line(_ line: LogLines.Line, at offset: Int64) throws(Diagnostic) -> (line: LogLine, bytes: [UInt8]) {
        guard case .whole(let bytes) = line else { throw .malformedLine(path, lineNumber(at: offset)) }
        do { return (try LogLine(bytes), bytes) } catch {
            throw error.diagnostic(path, lineNumber(at: offset))
        }
    }

    func entry(_ line: LogLine, at offset: Int64) throws(Diagnostic) -> LedgerEntry? {
        do { return try line.entry() } catch { throw error.diagnostic(path, lineNumber(at: offset)) }
    }

    /// The number of the line that begins at an offset, counted only where something is wrong with it.
    func lineNumber(at offset: Int64) -> UInt64 {
        var lines = LogLines(self, to: offset)
        var number: UInt64 = 1
        while (try? lines.next()) != nil { number += 1 }
        return number
    }
}
