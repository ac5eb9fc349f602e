import EscrowJSON

/// The records of one table that a run read: a sorted set of 48-bit keyed digests, spelled as the differences between
/// them, seven bits a byte, in base64. About six characters a record; a run's end holds it, so that it is committed to,
/// proved and erased with that entry.
public struct RecordSet: Sendable, Equatable {
    /// The digests, ascending, none twice.
    public let digests: [UInt64]

    /// The most records of a run that are told apart: with more, its end says only how many they were.
    public static let most = 8_192
    /// Digests are below this.
    public static let bound: UInt64 = 1 << 48

    /// Takes digests in any order.
    public init(_ digests: some Sequence<UInt64>) {
        var sorted = digests.map { $0 % Self.bound }
        sorted.sort()
        var last: UInt64?
        self.digests = sorted.filter { digest in
            defer { last = digest }
            return digest != last
        }
    }

    /// Whether a record is in the set: exact but for one chance in 2^48 for each record of the set.
    public func contains(_ digest: UInt64) -> Bool {
        var low = 0
        var high = digests.count
        let digest = digest % Self.bound
        while low < high {
            let middle = (low + high) / 2
            if digests[middle] < digest { low = middle + 1 } else { high = middle }
        }
        return low < digests.count && digests[low] == digest
    }

    /// The set as text.
    public var text: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digests.count * 6)
        var last: UInt64 = 0
        for (index, digest) in digests.enumerated() {
            var rest = index == 0 ? digest : digest - last - 1
            last = digest
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
        return Base64.encode(bytes)
    }

    /// Reads a text; nil for anything that `text` would not write.
    public init?(_ text: String) {
        guard let bytes = Base64.decode(text) else { return nil }
        var digests: [UInt64] = []
        var value: UInt64 = 0
        var shift: UInt64 = 0
        for byte in bytes {
            guard shift < 49, digests.count < Self.most else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            shift += 7
            guard byte < 0x80 else { continue }
            // A zero at the end of a longer number would be a second spelling.
            guard byte != 0 || shift == 7 else { return nil }
            let next = digests.last.map { $0 + 1 + value } ?? value
            guard next < Self.bound else { return nil }
            digests.append(next)
            value = 0
            shift = 0
        }
        guard shift == 0 else { return nil }
        self.digests = digests
    }
}
