// Sleeps for ever.
// limits: wallSeconds 0.4
// strict: limit wall
#include "../probe.h"

PROBE {
    do rest(500);
    while (!outside());
    return tell(0);
}
