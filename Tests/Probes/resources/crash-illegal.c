// Crashes: an illegal instruction, which is how Swift traps.
// strict: signal SIGILL
// control: signal SIGILL
#include "../probe.h"

PROBE { __builtin_trap(); }
