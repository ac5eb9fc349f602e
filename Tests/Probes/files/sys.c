// Reads what the kernel tells of the machine.
// strict: violation openat(AT_FDCWD, O_RDONLY)
#include "../probe.h"

PROBE { return tell(open("/sys/kernel/profiling", O_RDONLY) >= 0 ? 0 : open("/sys", O_RDONLY)); }
