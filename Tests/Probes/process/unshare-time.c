// Moves into a new time namespace, with another clock.
// strict: violation unshare(CLONE_NEWTIME)
// needs: CAP_SYS_ADMIN
// needs: a kernel with time namespaces, else EINVAL
#include "../probe.h"

PROBE { return tell(unshare(0x80 /* CLONE_NEWTIME */)); }
