// Watches directories for what others do.
// strict: violation inotify_init1()
#include "../probe.h"
#include <sys/inotify.h>

PROBE { return tell(inotify_init1(0)); }
