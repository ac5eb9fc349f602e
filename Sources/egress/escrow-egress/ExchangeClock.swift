import EscrowEgress
import Glibc

/// The limits of time of one exchange: each is a failure of its own.
struct ExchangeClock {
    let patience: Patience
    let end: Double

    init(_ patience: Patience) {
        self.patience = patience
        end = Self.now + patience.whole
    }

    /// Until when a piece of the answer may take whose last one came then; throws where that is over.
    func moment(ofReadingSince progress: Double) throws(TransportFailure) -> Double {
        let now = Self.now
        guard now < end else { throw .deadline }
        guard now < progress + patience.read else { throw .readTimeout }
        return min(end, progress + patience.read)
    }

    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
