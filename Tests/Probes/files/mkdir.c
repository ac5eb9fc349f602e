// Makes a directory.
// strict: violation mkdirat()
#include <sys/stat.h>

PROBE { return tell(mkdirat(AT_FDCWD, "directory", 0700)); }
