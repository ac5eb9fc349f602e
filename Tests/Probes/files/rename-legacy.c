// Gives a file another name by the oldest call.
// strict: violation rename()
// needs: x86-64
#include "../probe.h"

PROBE { return tell(syscall(SYS_rename, "canary", "gone")); }
