/// Bytes in, lines out: splits a stream at line feeds and refuses a line that is longer than the cap.
///
/// A carriage return is no line end here; strict JSON takes it as space. An empty line is a line, and an error for
/// whoever reads it.
public struct LineBuffer: Sendable {
    /// The longest line, in bytes, without its line feed.
    public let cap: Int
    private var bytes: [UInt8] = []
    /// Where the first unread byte stands in `bytes`.
    private var start = 0
    /// Up to where `bytes` is known to hold no line feed, so that no byte is looked at twice.
    private var scanned = 0

    /// An empty buffer for lines of at most `cap` bytes.
    public init(cap: Int) { self.cap = cap }

    /// The bytes of a line that has begun and not ended; above zero at the end of a stream, the stream was cut off.
    public var pending: Int { bytes.count - start }

    /// Adds what was read. Take lines with `next()` until it gives nil before adding more: what is held is then at
    /// most one cap and one read.
    public mutating func append(_ chunk: some Collection<UInt8>) {
        if start > 0 {
            bytes.removeSubrange(..<start)
            scanned -= start
            start = 0
        }
        bytes.append(contentsOf: chunk)
    }

    /// The next whole line without its line feed, or nil when more must be read first.
    ///
    /// - Throws: `AppWireError` with reason `.lineTooLong`; the stream cannot be read on after that.
    public mutating func next() throws(AppWireError) -> [UInt8]? {
        guard let end = bytes[scanned...].firstIndex(of: 0x0A) else {
            scanned = bytes.count
            guard pending <= cap else { throw AppWireError(.lineTooLong) }
            return nil
        }
        guard end - start <= cap else { throw AppWireError(.lineTooLong) }
        let line = Array(bytes[start..<end])
        start = end + 1
        scanned = start
        return line
    }
}
