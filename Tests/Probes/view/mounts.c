// Reads which disks the machine has.
// strict: violation openat(AT_FDCWD, O_RDONLY)
#include "../probe.h"

PROBE { return tell(open("/proc/self/mountinfo", O_RDONLY)); }
