// Changes the speed of the clock: to what it is.
// strict: violation adjtimex()
// needs: CAP_SYS_TIME
#include <sys/timex.h>

PROBE {
    struct timex clock = {0};
    if (outside() && syscall(SYS_adjtimex, &clock) < 0) give_up("adjtimex");
    clock.modes = ADJ_TICK;
    return tell(syscall(SYS_adjtimex, &clock));
}
