/// What one server keeps of one message. In bytes: `ESH1`, k, n, number, 0, the length of the values in four bytes (the
/// greatest first), this share's salt, a commitment to each of the n shares, the values.
public struct Share: Sendable, Equatable {
    /// k: how many shares give the message back.
    public let threshold: UInt8
    /// Which of the n it is, from 1: the place at which the polynomials were evaluated.
    public let number: UInt8
    /// Hides what this share's commitment commits to from the servers of the other shares.
    let salt: [UInt8]
    /// SHA-256 of each share's salt, number and values.
    let commitments: [[UInt8]]
    /// A byte for each byte of the message, then one for each of the digest's.
    let values: [UInt8]

    /// The longest message that is split: as much again is held for each share.
    public static let longestMessage = 16 << 20
    static let hashSize = 32
    private static let mark: [UInt8] = [0x45, 0x53, 0x48, 0x31]

    init(threshold: UInt8, number: UInt8, salt: [UInt8], commitments: [[UInt8]], values: [UInt8]) {
        self.threshold = threshold
        self.number = number
        self.salt = salt
        self.commitments = commitments
        self.values = values
    }

    /// The share as it is sent.
    public var bytes: [UInt8] {
        let length = UInt32(values.count)
        var bytes = Self.mark + [threshold, UInt8(commitments.count), number, 0]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
        bytes += salt
        for commitment in commitments { bytes += commitment }
        return bytes + values
    }

    /// Reads a share: one spelling for each, nothing before or after.
    public init(_ bytes: [UInt8]) throws(SharingError) {
        guard bytes.count >= 12, Array(bytes.prefix(4)) == Self.mark, bytes[7] == 0 else { throw .malformed }
        let (threshold, count, number) = (bytes[4], Int(bytes[5]), bytes[6])
        guard threshold >= 2, Int(threshold) <= count, number >= 1, Int(number) <= count else {
            throw .malformed
        }
        let length = bytes[8..<12].reduce(0) { $0 << 8 | Int($1) }
        let head = 12 + Self.hashSize * (count + 1)
        guard length >= Self.hashSize, length <= Self.longestMessage + Self.hashSize,
            bytes.count == head + length
        else { throw .malformed }
        self.threshold = threshold
        self.number = number
        salt = Array(bytes[12..<12 + Self.hashSize])
        commitments = (1...count).map { place in
            let start = 12 + Self.hashSize * place
            return Array(bytes[start..<start + Self.hashSize])
        }
        values = Array(bytes[head...])
    }
}
