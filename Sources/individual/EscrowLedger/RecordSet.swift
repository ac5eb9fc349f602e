import EscrowJSON

/// The records of one table that a run read: a sorted set of 48-bit keyed digests, spelled as the differences between
/// them, seven bits a byte, in base64. About six characters a record; a run's end holds it, so that it is committed to,
/// proved and erased with that entry.
public struct RecordSet: Sendable, Equatable {
    /// The digests, ascending, none twice.
    public let digests: [UInt64]

    /// The most records of a run that are told apart: with more, its end says only how many they were.
    public static let most = 16_384
    /// Digests are below this.
    public static let bound: UInt64 = 1 << 48

    /// Takes digests in any order.
    public init(_ digests: [UInt64]) {
        var sorted = Self.spread(digests)
        var kept = 0
        for index in sorted.indices where kept == 0 || sorted[index] != sorted[kept - 1] {
            sorted[kept] = sorted[index]
            kept += 1
        }
        sorted.removeSubrange(kept...)
        self.digests = sorted
    }

    /// Sorts the digests. Keyed hashes are spread evenly, so a bucket sort leaves little to do; others are sorted as usual.
    private static func spread(_ digests: [UInt64]) -> [UInt64] {
        let count = digests.count
        guard count > 1, count < Int32.max else { return digests.map { $0 % bound }.sorted() }
        // Of `bits` high bits there are at least as many as digests.
        let bits = Int.bitWidth - (count - 1).leadingZeroBitCount
        let shift = UInt64(max(48 - bits, 0))
        var ends = [Int32](repeating: 0, count: 1 << min(bits, 48))
        for digest in digests { ends[Int((digest % bound) >> shift)] += 1 }
        var total: Int32 = 0
        var most: Int32 = 0
        for place in ends.indices {
            most = max(most, ends[place])
            total += ends[place]
            ends[place] = total
        }
        var sorted = [UInt64](repeating: 0, count: count)
        for digest in digests.reversed() {
            let place = Int((digest % bound) >> shift)
            ends[place] -= 1
            sorted[Int(ends[place])] = digest % bound
        }
        guard most <= 32 else {
            sorted.sort()
            return sorted
        }
        for index in 1..<count {
            let digest = sorted[index]
            var place = index
            while place > 0, sorted[place - 1] > digest {
                sorted[place] = sorted[place - 1]
                place -= 1
            }
            sorted[place] = digest
        }
        return sorted
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

    public var text: String {
        // 48 bits are seven bytes at most.
        let bytes = [UInt8](unsafeUninitializedCapacity: digests.count * 7) { bytes, count in
            // With this the first difference is the first digest itself.
            var last = UInt64.max
            for digest in digests {
                var rest = digest &- last &- 1
                last = digest
                while rest >= 0x80 {
                    bytes[count] = UInt8(truncatingIfNeeded: rest) | 0x80
                    count += 1
                    rest >>= 7
                }
                bytes[count] = UInt8(truncatingIfNeeded: rest)
                count += 1
            }
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
