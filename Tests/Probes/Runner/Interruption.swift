import CProbeRunner
import Glibc
import Synchronization

/// What Ctrl-C and SIGTERM do to the runner: what it started and what it wrote is gone before it ends.
enum Interruption {
    private static let hasBegun = Atomic(false)

    /// Waits for ever if a signal came: what the main thread makes of children that were ended is no outcome.
    static func letItEnd() {
        while hasBegun.load(ordering: .acquiring) { pause() }
    }

    /// Watches from here on. Call it before there is another thread, since each inherits that the signals are
    /// blocked; programs that are run outside, and plugins, begin with their own masks.
    static func watch(removing workplace: Workplace) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let awaited = signals
        _ = startThread {
            var awaited = awaited
            var number: Int32 = 0
            guard sigwait(&awaited, &number) == 0 else { return }
            hasBegun.store(true, ordering: .releasing)
            for child in Orphans.children() { Orphans.end(child) }
            workplace.remove()
            _exit(128 + number)
        }
    }
}
