/// When something was written: by the writer's clock, but after everything that the writer had seen; no two are equal.
public struct Stamp: Sendable, Hashable, Comparable, Codable {
    public let time: Int64
    public let count: Int64
    public let writer: String

    public static func < (left: Stamp, right: Stamp) -> Bool {
        if left.time != right.time { return left.time < right.time }
        if left.count != right.count { return left.count < right.count }
        return left.writer.utf8.lexicographicallyPrecedes(right.writer.utf8)
    }
}

/// A hybrid logical clock: a member whose clock is slow still writes after what it has read.
public struct HybridClock: Sendable, Equatable, Codable {
    private let writer: String
    private var time: Int64 = 0
    private var count: Int64 = 0

    public init(writer: String) { self.writer = writer }

    /// The stamp of something written now.
    public mutating func stamp(at now: Int64) -> Stamp {
        if now > time { (time, count) = (now, 0) } else { count += 1 }
        return Stamp(time: time, count: count, writer: writer)
    }

    /// Notes what another member wrote.
    public mutating func see(_ stamp: Stamp) {
        if (stamp.time, stamp.count) > (time, count) { (time, count) = (stamp.time, stamp.count) }
    }
}
