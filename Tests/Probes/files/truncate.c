// Empties a file of the person's.
// argument: canary
// strict: violation truncate()
#include "../probe.h"

PROBE { return tell(truncate(argument[1], 0)); }
