import EscrowDiagnostics
import Glibc

/// The lines of a log, read in pieces: memory does not grow with the ledger.
struct LogLines {
    private let file: LogFile
    private let limit: Int64
    /// Where the piece that is held begins in the file.
    private var offset: Int64
    private var buffer: [UInt8] = []
    private var start = 0

    private static let piece = 256 * 1024

    /// Reads from an offset, where a line must begin, up to another.
    init(_ file: LogFile, from offset: Int64 = 0, to limit: Int64 = .max) {
        self.file = file
        self.offset = offset
        self.limit = limit
    }

    var position: Int64 { offset + Int64(start) }

    enum Line {
        /// A line with its end, which is left out.
        case whole([UInt8])
        /// What follows the last line end, or a line longer than any record.
        case broken([UInt8])
    }

    /// The next line, or nil at the end.
    mutating func next() throws(Diagnostic) -> Line? {
        var searched = start
        while true {
            if let end = lineEnd(from: searched) {
                defer { start = end + 1 }
                return .whole(Array(buffer[start..<end]))
            }
            if buffer.count - start > RecordLine.maximumLine {
                defer { start = buffer.count }
                return .broken(Array(buffer[start...]))
            }
            offset += Int64(start)
            buffer.removeFirst(start)
            searched = buffer.count
            start = 0
            let left = limit - offset - Int64(buffer.count)
            let piece = try file.read(at: offset + Int64(buffer.count), Int(min(Int64(Self.piece), left)))
            guard !piece.isEmpty else {
                guard !buffer.isEmpty else { return nil }
                defer { start = buffer.count }
                return .broken(buffer)
            }
            buffer += piece
        }
    }

    private func lineEnd(from index: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard index < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + index, 0x0A, bytes.count - index)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }
}
