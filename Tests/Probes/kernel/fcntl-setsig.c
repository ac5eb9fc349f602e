// Chooses which signal its input sends.
// strict: violation fcntl(F_SETSIG)
#include "../probe.h"

PROBE { return tell(fcntl(0, F_SETSIG, SIGUSR1)); }
