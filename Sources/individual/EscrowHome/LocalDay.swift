import Glibc

/// The day of this machine's local time.
package enum LocalDay {
    /// Hours and days are this machine's (`/etc/localtime`) from now on, whatever `TZ` says of whoever started this program: else they
    /// would choose which rules hold. To be called first, while there is one thread.
    package static func isTheMachines() { unsetenv("TZ") }

    /// Minutes since midnight, now.
    package static func minuteNow() -> Int {
        let parts = local(time(nil))
        return Int(parts.tm_hour) * 60 + Int(parts.tm_min)
    }

    /// The day's number: days since 1970 by the local date.
    package static var number: Int {
        var parts = local(time(nil))
        // As if it were UTC: a day is a day, whatever the offset is.
        return Int(timegm(&parts) / 86_400)
    }

    /// When today began, in milliseconds since 1970.
    package static func midnightMilliseconds() -> Int64 {
        var parts = local(time(nil))
        parts.tm_hour = 0
        parts.tm_min = 0
        parts.tm_sec = 0
        parts.tm_isdst = -1
        return Int64(mktime(&parts)) * 1000
    }

    /// The minute of the day of a moment in milliseconds since 1970.
    package static func minute(of milliseconds: Int64) -> Int {
        let parts = local(time_t(milliseconds / 1000))
        return Int(parts.tm_hour) * 60 + Int(parts.tm_min)
    }

    private static func local(_ moment: time_t) -> tm {
        var moment = moment
        var parts = tm()
        localtime_r(&moment, &parts)
        return parts
    }
}
