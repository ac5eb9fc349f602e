// Asks how much memory the machine has and how much of it is in use.
// strict: refused EPERM
#include "../probe.h"
#include <sys/sysinfo.h>

PROBE {
    struct sysinfo about;
    return tell(sysinfo(&about));
}
