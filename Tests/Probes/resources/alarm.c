// Asks for a storm of signals by a timer.
// strict: violation setitimer()
#include <sys/time.h>

PROBE {
    struct itimerval storm = {{0, 1000}, {0, 1000}};
    signal(SIGALRM, SIG_IGN);
    return tell(setitimer(ITIMER_REAL, &storm, NULL));
}
