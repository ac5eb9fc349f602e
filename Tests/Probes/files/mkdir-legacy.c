// Makes a directory by the oldest call.
// strict: violation mkdir()
// needs: x86-64
#include "../probe.h"

PROBE { return tell(syscall(SYS_mkdir, "directory", 0700)); }
