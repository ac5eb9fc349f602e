// Removes a file.
// strict: violation unlinkat()
#include "../probe.h"

PROBE { return tell(unlinkat(AT_FDCWD, "canary", 0)); }
