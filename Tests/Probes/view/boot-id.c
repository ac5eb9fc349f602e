// Reads the number of this start of the machine.
// strict: violation openat(AT_FDCWD, O_RDONLY)
#include "../probe.h"

PROBE { return tell(open("/proc/sys/kernel/random/boot_id", O_RDONLY)); }
