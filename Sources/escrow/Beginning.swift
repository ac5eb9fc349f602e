import EscrowEgress
import EscrowFiles
import EscrowHome
import Glibc

/// What the host itself begins from, whatever started it. What each run begins from is the launcher's.
enum Beginning {
    /// Takes fixed values in the place of what was inherited. To be called first, while there is one thread.
    static func take() {
        Crash.leavesNothing()
        // A blocked signal is inherited through exec: the host could not be ended by SIGTERM.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        // An ignored SIGCHLD is, too: no child could be waited for.
        signal(SIGCHLD, SIG_DFL)
        ResolverEnvironment.clear()
        LocalDay.isTheMachines()
    }
}
