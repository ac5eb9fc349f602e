// Changes the speed of the clock by the newer call: to what it is.
// strict: violation clock_adjtime()
// needs: CAP_SYS_TIME
#include <sys/timex.h>
#include <time.h>

PROBE {
    struct timex clock = {0};
    if (outside() && syscall(SYS_adjtimex, &clock) < 0) give_up("adjtimex");
    clock.modes = ADJ_TICK;
    return tell(syscall(SYS_clock_adjtime, CLOCK_REALTIME, &clock));
}
