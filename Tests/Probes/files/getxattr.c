// Reads an extended attribute of a file.
// strict: violation getxattr()
#include <sys/xattr.h>

PROBE {
    long result = getxattr("/etc/passwd", "user.escrow", NULL, 0);
    return tell(result < 0 && errno == ENODATA ? 0 : result);
}
