// Walks through procfs to the working directory.
// strict: violation openat(AT_FDCWD, O_RDONLY)
#include "../probe.h"

PROBE { return tell(open("/proc/self/cwd/canary", O_RDONLY)); }
