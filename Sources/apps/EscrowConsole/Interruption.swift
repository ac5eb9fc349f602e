import EscrowFiles
package import EscrowHost
import Glibc
import Synchronization

/// Ctrl-C, SIGTERM and SIGHUP during `escrow run`.
///
/// The first one withdraws the run: plugin and query end, the ledger gets the run's end, and then the command ends by
/// that very signal, so that a shell or a service manager sees what happened (130, 143, 129). A second one ends at once,
/// as kill -9 would: the plugin dies with its host, and the next command records the run as interrupted. Where there is
/// nothing to withdraw (at the question, and once the result is on its way) the first one ends at once as well.
package enum Interruption {
    /// The signal that withdrew the run, or 0. Handlers touch atomics, write(2) and raise(3) only.
    private static let caught = Atomic<Int32>(0)
    private static let endsAtOnce = Atomic<Bool>(false)
    private static let wake = Atomic<Int32>(-1)

    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// From here on a signal withdraws the run. Where the system has no pipe or thread left, signals end at once.
    package static func withdraws(_ cancellation: Runner.Cancellation) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        guard start(cancellation, reading: ends[0]) else {
            ends.forEach { close($0) }
            return
        }
        wake.store(ends[1], ordering: .sequentiallyConsistent)
        for number in signals {
            var before = sigaction()
            sigaction(number, nil, &before)
            // A job in the background, or under nohup, is not to hear of it.
            if unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == 1 { continue }
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { Interruption.handle($0) }
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
        // Blocked signals are inherited: a program that starts this from a thread that hears of none should not make
        // it deaf.
        var mask = sigset_t()
        sigemptyset(&mask)
        for number in signals { sigaddset(&mask, number) }
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    }

    /// Runs the body, which waits for a person: during it a signal ends at once.
    package static func endingAtOnce<Result>(_ body: () -> Result) -> Result {
        endsAtOnce.store(true, ordering: .sequentiallyConsistent)
        defer { endsAtOnce.store(false, ordering: .sequentiallyConsistent) }
        return body()
    }

    /// The run is over: ends by the signal that withdrew it, if one did; later ones end at once.
    package static func finish() {
        endsAtOnce.store(true, ordering: .sequentiallyConsistent)
        let number = caught.load(ordering: .sequentiallyConsistent)
        if number != 0 { end(by: number) }
    }

    private static func handle(_ number: Int32) {
        let error = errno
        defer { errno = error }
        if endsAtOnce.load(ordering: .sequentiallyConsistent)
            || caught.exchange(number, ordering: .sequentiallyConsistent) != 0
        {
            return end(by: number)
        }
        var byte: UInt8 = 1
        _ = write(wake.load(ordering: .sequentiallyConsistent), &byte, 1)
    }

    /// As if nobody had caught it. In the handler the signal is held back until it returns.
    private static func end(by number: Int32) {
        signal(number, SIG_DFL)
        kill(getpid(), number)
    }

    /// A thread that waits for a handler's byte: to withdraw takes locks, which no handler may.
    private static func start(_ cancellation: Runner.Cancellation, reading descriptor: Int32) -> Bool {
        SystemThread.start(name: "escrow-signals") {
            var byte: UInt8 = 0
            while read(descriptor, &byte, 1) < 0, errno == EINTR {}
            cancellation.cancel()
        }
    }
}
