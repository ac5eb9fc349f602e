import EscrowDiagnostics

/// The lines of a log in order, each taken apart, with the number of the record that it is or leads to.
struct LogWalk {
    private let path: String
    private var lines: LogLines
    private let end: Int64
    private(set) var lineNumber: UInt64 = 0
    private(set) var sequence: UInt64 = 0

    struct Item {
        let line: LogLine
        let bytes: [UInt8]
        let offset: Int64
        /// The number of the record; of any other line that of the record before it.
        let sequence: UInt64
        let number: UInt64
    }

    /// Reads a log from its beginning to where its newest checkpoint ends.
    init(_ log: LogFile, to end: Int64) {
        path = log.path
        lines = LogLines(log, to: end)
        self.end = end
    }

    /// The next line; throws where one is none. Each record must be the one of its place.
    mutating func next() throws(Diagnostic) -> Item? {
        let offset = lines.position
        guard let next = try lines.next() else {
            guard offset == end else { throw .cutOff(path, count: sequence, signed: sequence + 1) }
            return nil
        }
        lineNumber += 1
        guard case .whole(let bytes) = next else { throw .malformedLine(path, lineNumber) }
        let line: LogLine
        do { line = try LogLine(bytes) } catch { throw error.diagnostic(path, lineNumber) }
        switch line {
        case .record, .reduced: sequence += 1
        case .gap(let gap):
            guard gap.through > sequence else {
                throw .wrongOrder(path, lineNumber, expected: sequence + 1, found: gap.through)
            }
            sequence = gap.through
        case .header, .checkpoint: break
        }
        return Item(line: line, bytes: bytes, offset: offset, sequence: sequence, number: lineNumber)
    }

    func entry(_ item: Item) throws(Diagnostic) -> LedgerEntry? {
        let entry: LedgerEntry?
        do {
            entry = try item.line.entry()
        } catch { throw error.diagnostic(path, item.number) }
        if let entry, entry.sequence != item.sequence {
            throw .wrongOrder(path, item.number, expected: item.sequence, found: entry.sequence)
        }
        return entry
    }
}
