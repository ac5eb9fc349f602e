import EscrowEgress

/// Takes lines that end in CR LF: neither alone ends one, as readers differ about that.
struct LineTaker {
    /// The most bytes of all lines of a head, or of the trailers.
    static let mostBytes = 80 << 10

    /// What has come of the line.
    private(set) var line: [UInt8] = []
    private var count = 0
    private var isReturn = false

    /// A byte more; the line, without its end, where that was the last one of it.
    mutating func take(_ byte: UInt8) throws(TransportFailure) -> [UInt8]? {
        count += 1
        guard count <= Self.mostBytes else { throw .tooLarge }
        guard try skip(byte) else {
            if !isReturn { line.append(byte) }
            return nil
        }
        defer { line = [] }
        return line
    }

    /// The same without keeping the bytes: whether the line has ended.
    mutating func skip(_ byte: UInt8) throws(TransportFailure) -> Bool {
        guard isReturn == (byte == UInt8(ascii: "\n")) else { throw .malformed }
        defer { isReturn = byte == UInt8(ascii: "\r") }
        return isReturn
    }
}
