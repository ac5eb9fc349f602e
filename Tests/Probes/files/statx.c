// Asks about a file by the newest call.
// strict: refused ENOSYS
#include <sys/stat.h>

PROBE {
    struct statx about;
    return tell(syscall(SYS_statx, AT_FDCWD, "/etc/passwd", 0, STATX_ALL, &about));
}
