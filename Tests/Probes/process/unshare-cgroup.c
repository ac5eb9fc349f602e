// Moves into a new control group namespace.
// strict: violation unshare(CLONE_NEWCGROUP)
// needs: CAP_SYS_ADMIN
#include "../probe.h"

PROBE { return tell(unshare(CLONE_NEWCGROUP)); }
