// Sets the clock: to the time that it is.
// strict: violation clock_settime()
// needs: CAP_SYS_TIME
#include <time.h>

PROBE {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) < 0) give_up("clock_gettime");
    return tell(clock_settime(CLOCK_REALTIME, &now));
}
