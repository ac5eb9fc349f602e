// Takes a group id: the one that it has.
// strict: violation setgid()
#include "../probe.h"

PROBE { return tell(syscall(SYS_setgid, getgid())); }
