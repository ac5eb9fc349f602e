// Moves into a new IPC namespace.
// strict: violation unshare(CLONE_NEWIPC)
// needs: CAP_SYS_ADMIN
#include "../probe.h"

PROBE { return tell(unshare(CLONE_NEWIPC)); }
