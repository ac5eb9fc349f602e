import Glibc

/// A moment in UTC to the millisecond.
public struct ConsentTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public let milliseconds: Int64

    /// Takes milliseconds since 1970; what lies outside the years 1970 to 9999 becomes the nearest that does not.
    public init(milliseconds: Int64) {
        self.milliseconds = min(max(milliseconds, 0), 253_402_300_799_999)
    }

    /// The wall clock. Corresponds to clock_gettime(2) with CLOCK_REALTIME.
    public static func now() -> ConsentTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return ConsentTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Reads `2026-11-21T01:40:11Z`, with or without milliseconds; nil for any other text.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        let isLong = bytes.count == 24
        let shape = Array((isLong ? "dddd-dd-ddTdd:dd:dd.dddZ" : "dddd-dd-ddTdd:dd:ddZ").utf8)
        guard bytes.count == shape.count else { return nil }
        for (byte, expected) in zip(bytes, shape) {
            let isRight = expected == UInt8(ascii: "d") ? (0x30...0x39).contains(byte) : byte == expected
            guard isRight else { return nil }
        }
        func number(_ range: Range<Int>) -> Int32 {
            bytes[range].reduce(0) { $0 * 10 + Int32($1 - 0x30) }
        }
        var parts = tm()
        parts.tm_year = number(0..<4) - 1900
        parts.tm_mon = number(5..<7) - 1
        parts.tm_mday = number(8..<10)
        parts.tm_hour = number(11..<13)
        parts.tm_min = number(14..<16)
        parts.tm_sec = number(17..<19)
        let part = Int64(isLong ? number(20..<23) : 0)
        self.init(milliseconds: Int64(timegm(&parts)) * 1000 + part)
        // A 31st of February or a 25th hour comes out as another moment.
        guard (isLong ? precise : description) == text else { return nil }
    }

    /// The end of a day of the individual's own clock: the midnight after it. Nil for what is no date `YYYY-MM-DD`.
    public static func end(ofDay text: String) -> ConsentTime? {
        guard let noon = ConsentTime(text + "T12:00:00Z") else { return nil }
        var seconds = time_t(noon.milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return midnight(after: &parts)
    }

    /// The midnight that ends this moment's day by the individual's own clock.
    public var endOfDay: ConsentTime {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return Self.midnight(after: &parts)
    }

    private static func midnight(after parts: inout tm) -> ConsentTime {
        parts.tm_mday += 1
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (0, 0, 0)
        // Whether summer time holds then is for mktime to find out.
        parts.tm_isdst = -1
        return ConsentTime(milliseconds: Int64(mktime(&parts)) * 1000)
    }

    /// This moment and so many days, of 24 hours each.
    public func adding(days: Int64) -> ConsentTime {
        ConsentTime(milliseconds: milliseconds + days * 86_400_000)
    }

    public static func < (left: ConsentTime, right: ConsentTime) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// RFC 3339 UTC to the second.
    public var description: String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The same with milliseconds.
    public var precise: String {
        let digits = String(milliseconds % 1000)
        return description.dropLast() + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
    }

    /// The date alone, in UTC.
    public var date: String { String(description.prefix(10)) }
}
