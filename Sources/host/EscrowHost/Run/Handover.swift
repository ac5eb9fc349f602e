package import EscrowEgress
package import EscrowManifest

/// Hands over what a run came to at one of a few moments, and not when the plugin pleases: how long a run takes would tell
/// the app more than many a result does.
///
/// That nothing came of it is handed over in the same way. Only a cancellation is answered at once: when it comes is not the
/// plugin's choice.
package final class Handover {
    private let moments: TimeGrid
    private let clock: any RunClock
    private let start: Double
    /// What holds the connections of the run's requests. They stay open until the moment comes: their end would tell of it.
    var connections: AnyObject?

    /// Begins to count. The plugin is not running yet.
    package init(_ moments: TimeGrid, clock: any RunClock = MonotonicClock()) {
        self.moments = moments
        self.clock = clock
        start = clock.seconds
    }

    /// Waits for the next moment; after the last one, for the next multiple of it.
    package func wait() {
        let passed = clock.seconds - start
        if let moment = moments.moment(after: passed) {
            clock.wait(until: start + moment)
        } else if let last = moments.moments.last {
            clock.wait(until: start + (passed / last).rounded(.up) * last)
        }
        connections = nil
    }

    /// Ends the waiting. Any thread may call it.
    var cancel: @Sendable () -> Void {
        let clock = clock
        return { clock.cancel() }
    }
}
