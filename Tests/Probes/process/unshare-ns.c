// Moves into a new mount namespace.
// strict: violation unshare(CLONE_NEWNS)
// needs: CAP_SYS_ADMIN
#include "../probe.h"

PROBE { return tell(unshare(CLONE_NEWNS)); }
