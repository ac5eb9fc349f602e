// Hides a note in an extended attribute.
// argument: canary
// strict: violation setxattr()
// needs: a file system with attributes of users, else EOPNOTSUPP
#include <sys/xattr.h>

PROBE { return tell(setxattr(argument[1], "user.escrow", "x", 1, 0)); }
