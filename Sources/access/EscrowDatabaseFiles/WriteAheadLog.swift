internal import EscrowDiagnostics
internal import EscrowFiles

/// A `-wal` file (SQLite file format, section 4): what a program has committed and not yet moved into its database.
///
/// Its frames are moved into the private copy here, in Swift, so that SQLite itself meets a plain database: no
/// wal-index, no locks, nothing that would want a `-shm` beside it. The checksum of a frame is
/// computed on from that of the frame before it: a frame that a writer has half appended does not match, and reading ends there.
struct WriteAheadLog {
    private static let headerSize = 32
    private static let frameHeaderSize = 24
    private let pageSize: Int
    private let isBigEndian: Bool
    private let salts: [UInt8]
    private var sum: (UInt32, UInt32)

    /// Reads the header; nil if the file is empty or its header is not whole, which SQLite takes for no log as well.
    init?(_ file: borrowing Descriptor, pageSize: Int) throws(Diagnostic) {
        let header = try file.read(Self.headerSize, at: 0)[...]
        guard header.count == Self.headerSize else { return nil }
        let magic = header.bigEndian32(at: 0)
        guard magic & ~1 == 0x377f_0682, header.bigEndian32(at: 4) == 3_007_000,
            header.bigEndian32(at: 8) == UInt32(pageSize)
        else { return nil }
        isBigEndian = magic & 1 == 1
        self.pageSize = pageSize
        salts = Array(header[16..<24])
        sum = (0, 0)
        add(header[..<24])
        guard sum.0 == header.bigEndian32(at: 24), sum.1 == header.bigEndian32(at: 28) else { return nil }
    }

    /// The checksum of section 4.3, in steps of eight bytes.
    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        var (first, second) = sum
        let isBigEndian = self.isBigEndian
        bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset + 8 <= bytes.count {
                let a = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                let b = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                first &+= (isBigEndian ? a.bigEndian : a.littleEndian) &+ second
                second &+= (isBigEndian ? b.bigEndian : b.littleEndian) &+ first
                offset += 8
            }
        }
        sum = (first, second)
    }

    /// Moves every committed page of the log's first `size` bytes into `copy`.
    ///
    /// - Returns: the number of pages that the database has then; nil if nothing was committed.
    mutating func apply(
        _ file: borrowing Descriptor, to copy: AnonymousFile, size: Int64, limit: Int64
    ) throws(Diagnostic) -> Int64? {
        let frameSize = Int64(Self.frameHeaderSize + pageSize)
        var offset = Int64(Self.headerSize)
        /// Frames of the transaction at hand: page and place. They count only when its commit comes.
        var pending: [(page: Int64, place: Int64)] = []
        var pageCount: Int64?
        while offset + frameSize <= size {
            let frame = try file.read(Int(frameSize), at: offset)[...]
            guard frame.count == Int(frameSize), frame[8..<16].elementsEqual(salts) else { break }
            add(frame[..<8])
            add(frame[Self.frameHeaderSize...])
            guard sum.0 == frame.bigEndian32(at: 16), sum.1 == frame.bigEndian32(at: 20) else { break }
            let page = Int64(frame.bigEndian32(at: 0))
            guard page > 0 else { throw .damagedDatabase(11) }
            guard page * Int64(pageSize) <= limit else { throw .databaseTooLarge(limit) }
            pending.append((page, offset + Int64(Self.frameHeaderSize)))
            let committed = Int64(frame.bigEndian32(at: 4))
            if committed > 0 {
                for (page, place) in pending {
                    let bytes = try file.read(pageSize, at: place)
                    guard bytes.count == pageSize else { throw .damagedDatabase(11) }
                    try copy.write(bytes[...], at: (page - 1) * Int64(pageSize))
                }
                pending.removeAll(keepingCapacity: true)
                pageCount = committed
            }
            offset += frameSize
        }
        return pageCount
    }
}
