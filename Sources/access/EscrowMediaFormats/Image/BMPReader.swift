internal import EscrowSourceFiles

/// Reads the size of a Windows bitmap (BITMAPCOREHEADER, BITMAPINFOHEADER and what followed them).
enum BMPReader {
    /// Reads its facts; nil if the file is no bitmap.
    static func read(_ file: inout WindowedFile) -> ImageFacts? {
        guard let head = file.bytes(at: 0, count: 26), head.starts(with: "BM".utf8),
            let headerSize = head.little32(14)
        else { return nil }
        var facts = ImageFacts()
        if headerSize == 12, let width = head.little16(18), let height = head.little16(20) {
            facts.setSize(width: width, height: height)
        } else if headerSize >= 40, let width = head.little32(18), let height = head.little32(22) {
            // A negative height means rows from the top down.
            facts.setSize(width: width, height: Int(Int32(truncatingIfNeeded: height).magnitude))
        }
        return facts
    }
}
