// Makes a file without a name.
// strict: violation openat(AT_FDCWD, O_RDWR|O_TMPFILE)
#include "../probe.h"

PROBE { return tell(open(".", O_RDWR | O_TMPFILE, 0600)); }
