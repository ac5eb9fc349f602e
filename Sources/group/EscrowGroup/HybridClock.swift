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

    /// How far ahead of a member's clock what others sent may be, in milliseconds: a day. What is later would stand for ever.
    static let farthest: Int64 = 86_400_000
    /// The greatest count that others may send; own ones stay below it.
    static let mostCount: Int64 = 1 << 32

    /// Whether a member whose clock says `now` takes it from another.
    func isNear(_ now: Int64) -> Bool { time <= now + Self.farthest && count <= Self.mostCount }

    /// Refuses what another member sent and nobody can have written by then.
    ///
    /// - Throws: malformed, or ahead for what may only have met a clock that is slow.
    func check(at now: Int64) throws(GroupError) {
        guard count <= Self.mostCount else { throw .malformed }
        guard isNear(now) else { throw .ahead(due: time - Self.farthest) }
    }
}

/// A hybrid logical clock: a member whose clock is slow still writes after what it has read.
public struct HybridClock: Sendable, Equatable, Codable {
    private let writer: String
    private var time: Int64 = 0
    private var count: Int64 = 0

    public init(writer: String) { self.writer = writer }

    /// The stamp of something written now.
    ///
    /// - Parameter known: all stamps that are kept. Where one of them is so far ahead that the others would refuse what comes
    ///   after it, the clock goes back to the latest of those that are not.
    public mutating func stamp(at now: Int64, among known: some Sequence<Stamp>) -> Stamp {
        if time > now + Stamp.farthest || count > Stamp.mostCount {
            (time, count) = (0, 0)
            for stamp in known where stamp.isNear(now) { see(stamp) }
        }
        if now > time {
            (time, count) = (now, 0)
        } else if count < Stamp.mostCount {
            count += 1
        } else {
            (time, count) = (time + 1, 0)
        }
        return Stamp(time: time, count: count, writer: writer)
    }

    /// Notes what another member wrote.
    public mutating func see(_ stamp: Stamp) {
        if (stamp.time, stamp.count) > (time, count) { (time, count) = (stamp.time, stamp.count) }
    }
}
