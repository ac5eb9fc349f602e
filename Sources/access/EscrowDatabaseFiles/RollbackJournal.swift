internal import EscrowDiagnostics
internal import EscrowFiles

/// A `-journal` file (SQLite file format, section 3): the pages as they were before a transaction that has not ended.
///
/// Playing it back into the private copy undoes what the transaction has written so far. The original stays as it is:
/// rolling that back is its program's own affair.
enum RollbackJournal {
    private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

    /// Writes the old pages, out of the journal's first `size` bytes, into `copy`.
    ///
    /// - Returns: the number of pages that the database had before; nil if there is no transaction to undo.
    static func playBack(
        _ file: borrowing Descriptor, size: Int64, into copy: AnonymousFile, pageSize: Int
    ) throws(Diagnostic) -> Int64? {
        var offset: Int64 = 0
        var pageCount: Int64?
        let recordSize = pageSize + 8
        while offset + 28 <= size {
            let header = try file.read(28, at: offset)[...]
            guard header.count == 28, header[..<8].elementsEqual(magic) else { break }
            let records = header.bigEndian32(at: 8)
            let nonce = header.bigEndian32(at: 12)
            let sector = Int64(header.bigEndian32(at: 20))
            guard (32...65_536).contains(sector), sector & (sector - 1) == 0,
                header.bigEndian32(at: 24) == UInt32(pageSize)
            else { break }
            if pageCount == nil { pageCount = Int64(header.bigEndian32(at: 16)) }
            offset += sector
            let room = max(0, size - offset) / Int64(recordSize)
            let count = records == .max ? room : min(Int64(records), room)
            for _ in 0..<count {
                let record = try file.read(recordSize, at: offset)[...]
                guard record.count == recordSize else { return pageCount }
                let page = Int64(record.bigEndian32(at: 0))
                let content = record[4..<4 + pageSize]
                guard page > 0, checksum(content, nonce) == record.bigEndian32(at: 4 + pageSize) else {
                    return pageCount
                }
                if let pageCount, page <= pageCount {
                    try copy.write(content, at: (page - 1) * Int64(pageSize))
                }
                offset += Int64(recordSize)
            }
            // The next header begins a sector.
            offset = (offset + sector - 1) / sector * sector
        }
        return pageCount
    }

    /// The sum of every two hundredth byte from the end (section 3).
    private static func checksum(_ page: ArraySlice<UInt8>, _ nonce: UInt32) -> UInt32 {
        var sum = nonce
        var index = page.count - 200
        while index > 0 {
            sum &+= UInt32(page[page.startIndex + index])
            index -= 200
        }
        return sum
    }
}
