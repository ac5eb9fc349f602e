// Moves into a new network namespace.
// strict: violation unshare(CLONE_NEWNET)
// needs: CAP_SYS_ADMIN
#include "../probe.h"

PROBE { return tell(unshare(CLONE_NEWNET)); }
