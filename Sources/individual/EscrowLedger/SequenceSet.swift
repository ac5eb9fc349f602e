import EscrowJSON

/// A set of record numbers, as ranges: few numbers even where many records were erased at once.
public struct SequenceSet: Sendable, Equatable {
    /// The ranges, ascending, with room between them.
    public private(set) var ranges: [ClosedRange<UInt64>] = []

    public init() {}

    public init(_ numbers: some Sequence<UInt64>) {
        for number in numbers { insert(number) }
    }

    /// Reads `[[3,3],[7,9]]`; what is none of it is left out.
    init(_ value: JSONValue?) {
        for pair in value?.array ?? [] {
            guard let ends = pair.array, ends.count == 2, let first = ends[0].integer, first > 0,
                let last = ends[1].integer, last >= first
            else { continue }
            insert(UInt64(first)...UInt64(last))
        }
    }

    /// As it stands in a record: `[[3,3],[7,9]]`.
    var json: JSONValue {
        .array(
            ranges.map {
                [.integer(Int64(clamping: $0.lowerBound)), .integer(Int64(clamping: $0.upperBound))]
            })
    }

    public var isEmpty: Bool { ranges.isEmpty }
    public var count: UInt64 { ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound + 1 } }

    public func contains(_ number: UInt64) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(number)
    }

    public func isSubset(of other: SequenceSet) -> Bool {
        ranges.allSatisfy { range in
            other.ranges.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
        }
    }

    public mutating func insert(_ number: UInt64) { insert(number...number) }

    mutating func insert(_ range: ClosedRange<UInt64>) {
        if let last = ranges.last, range.lowerBound > last.upperBound {
            // Mostly numbers come in order.
            if range.lowerBound == last.upperBound + 1 {
                ranges[ranges.count - 1] = last.lowerBound...range.upperBound
            } else {
                ranges.append(range)
            }
            return
        }
        var merged = range
        ranges.removeAll { other in
            let touches =
                other.lowerBound <= merged.upperBound &+ 1 && merged.lowerBound <= other.upperBound &+ 1
            if touches {
                merged =
                    min(merged.lowerBound, other.lowerBound)...max(merged.upperBound, other.upperBound)
            }
            return touches
        }
        ranges.insert(merged, at: ranges.firstIndex { $0.lowerBound > merged.upperBound } ?? ranges.count)
    }
}
