import EscrowDiagnostics
import EscrowFiles
import Glibc

/// The lines of a log, read in pieces: memory does not grow with the ledger.
struct LogLines: ~Copyable {
    private let file: Descriptor
    private var buffer: [UInt8] = []
    private var start = 0
    private var hasEnded = false

    private static let piece = 128 * 1024

    /// Starts reading at an offset, where a line must begin.
    init(_ path: String, from offset: Int64 = 0) throws(Diagnostic) {
        file = try Self.open(path, at: offset)
    }

    private static func open(_ path: String, at offset: Int64) throws(Diagnostic) -> Descriptor {
        let file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW)
        guard lseek(file.raw, Int(offset), SEEK_SET) == Int(offset) else {
            throw .file(path, "cannot be read", errno)
        }
        return file
    }

    /// One line of the file.
    enum Line {
        /// A line with its end, which is left out.
        case whole([UInt8])
        /// What follows the last line end, or a line longer than any record.
        case broken([UInt8])
    }

    /// The next line, or nil at the end of the file.
    mutating func next() throws(Diagnostic) -> Line? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { start = end + 1 }
                return .whole(Array(buffer[start..<end]))
            }
            if hasEnded || buffer.count - start > RecordLine.maximumLine {
                guard start < buffer.count else { return nil }
                defer { start = buffer.count }
                return .broken(Array(buffer[start...]))
            }
            buffer.removeFirst(start)
            searched = buffer.count
            start = 0
            let piece = try file.read(Self.piece)
            hasEnded = piece.isEmpty
            buffer += piece
        }
    }
}
