import EscrowJSON
import Glibc

/// How long something took.
struct Figure {
    /// By the clock.
    let seconds: Double
    /// Of this process and its threads, which a busy machine does not lengthen much.
    let processor: Double

    /// Does something and says how long it took.
    static func time(_ body: () throws -> Void) rethrows -> Figure {
        let start = (now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID))
        try body()
        return Figure(
            seconds: now(CLOCK_MONOTONIC) - start.0, processor: now(CLOCK_PROCESS_CPUTIME_ID) - start.1)
    }

    /// The one in the middle.
    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// Prints one line.
    static func tell(_ value: JSONValue) {
        print(String(decoding: JSONWriter.line(value), as: UTF8.self))
        fflush(nil)
    }

    private static func now(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
