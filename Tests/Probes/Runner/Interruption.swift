import CProbeRunner
import Glibc

/// What Ctrl-C and SIGTERM do to the runner: what it started and what it wrote is gone before it ends.
enum Interruption {
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
            for child in Orphans.children() { Orphans.end(child) }
            workplace.remove()
            _exit(128 + number)
        }
    }
}
