// Makes a timer of the kernel's, of which there could be many.
// strict: violation timer_create()
#include "../probe.h"

PROBE {
    timer_t timer;
    return tell(timer_create(CLOCK_MONOTONIC, NULL, &timer));
}
