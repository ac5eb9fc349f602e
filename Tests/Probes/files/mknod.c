// Makes a FIFO, to meet another process at.
// strict: violation mknodat()
#include <sys/stat.h>

PROBE { return tell(mknodat(AT_FDCWD, "meeting", S_IFIFO | 0600, 0)); }
