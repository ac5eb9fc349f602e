// Watches whole file systems for what others do.
// strict: violation fanotify_init()
// needs: a kernel with fanotify for all, else ENOSYS EPERM
#include <sys/fanotify.h>

PROBE { return tell(fanotify_init(FAN_CLASS_NOTIF | FAN_REPORT_FID, O_RDONLY)); }
