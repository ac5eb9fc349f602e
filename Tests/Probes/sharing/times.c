// Asks for the processor time of itself and of its children, in ticks since some start.
// strict: violation times()
#include <sys/times.h>

PROBE {
    struct tms used;
    return tell(times(&used));
}
