package import EscrowTabular
internal import Glibc

extension Timestamp {
    /// This moment, by the machine's clock.
    package static var currentTime: Timestamp {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let microseconds = Int64(now.tv_sec).multipliedReportingOverflow(by: 1_000_000).partialValue
        return Timestamp(microseconds: microseconds) ?? Timestamp(year: 1970, month: 1, day: 1)!
    }
}
