// Watches directories for what others do.
// strict: violation inotify_init1()
#include <sys/inotify.h>

PROBE { return tell(inotify_init1(0)); }
