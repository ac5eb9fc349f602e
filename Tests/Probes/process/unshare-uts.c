// Moves into a new hostname namespace.
// strict: violation unshare(CLONE_NEWUTS)
// needs: CAP_SYS_ADMIN
#include "../probe.h"

PROBE { return tell(unshare(CLONE_NEWUTS)); }
