// Asks whether a file is there.
// strict: refused ENOENT
#include "../probe.h"

PROBE { return tell(access("/etc/passwd", R_OK)); }
