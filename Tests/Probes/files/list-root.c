// Lists the root directory.
// strict: violation openat(AT_FDCWD, O_RDONLY)
#include <dirent.h>

PROBE { return tell(opendir("/") ? 0 : -1); }
