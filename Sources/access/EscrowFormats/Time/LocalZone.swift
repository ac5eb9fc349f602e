internal import EscrowSourceFiles
internal import Glibc

/// The time zone of times that do not name theirs.
package struct LocalZone: Sendable {
    /// Seconds east of UTC at a local civil time; nil if that cannot be told.
    package let offset:
        @Sendable (_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int) -> Int?

    /// This machine's zone.
    package static let machine = LocalZone { year, month, day, hour, minute, second in
        var parts = tm()
        parts.tm_year = Int32(year - 1900)
        parts.tm_mon = Int32(month - 1)
        parts.tm_mday = Int32(day)
        parts.tm_hour = Int32(hour)
        parts.tm_min = Int32(minute)
        parts.tm_sec = Int32(second)
        parts.tm_isdst = -1
        let moment = mktime(&parts)
        // mktime says -1 for an error, and for the last second of 1969; nobody took a digital photo then.
        guard moment != -1 else { return nil }
        return Int(parts.tm_gmtoff)
    }

    /// A zone that is always the same number of seconds east of UTC.
    package static func fixed(_ seconds: Int) -> LocalZone { LocalZone { _, _, _, _, _, _ in seconds } }
}

extension LocalZone {
    /// A number that differs between zones: of their offsets from 1990 to 2039, four times a year.
    package var fingerprint: UInt64 {
        var hash = FNV.hash([])
        for year in 1990..<2040 {
            for month in [1, 4, 7, 10] {
                let seconds = UInt64(truncatingIfNeeded: offset(year, month, 15, 12, 0, 0) ?? -1)
                withUnsafeBytes(of: seconds) { hash = FNV.hash($0, from: hash) }
            }
        }
        return hash
    }
}
