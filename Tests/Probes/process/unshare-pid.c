// Moves into a new process namespace.
// strict: violation unshare(CLONE_NEWPID)
// needs: CAP_SYS_ADMIN
#include "../probe.h"

PROBE { return tell(unshare(CLONE_NEWPID)); }
