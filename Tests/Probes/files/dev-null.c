// Opens a harmless device.
// strict: violation openat(AT_FDCWD, O_RDWR)
#include "../probe.h"

PROBE { return tell(open("/dev/null", O_RDWR)); }
