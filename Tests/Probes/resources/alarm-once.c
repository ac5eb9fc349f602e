// Asks for one signal later.
// strict: violation alarm()
// needs: x86-64
#include "../probe.h"

PROBE { return tell(syscall(SYS_alarm, 100)); }
