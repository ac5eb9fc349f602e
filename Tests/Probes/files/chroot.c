// Makes another directory its root.
// strict: violation chroot()
// needs: CAP_SYS_CHROOT
#include "../probe.h"

PROBE { return tell(chroot("/")); }
