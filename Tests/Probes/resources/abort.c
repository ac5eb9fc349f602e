// Aborts.
// strict: signal SIGABRT
// control: signal SIGABRT
#include "../probe.h"

PROBE { abort(); }
