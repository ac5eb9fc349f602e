// Asks how much memory the machine has and since when it runs.
// strict: refused EPERM
#include <sys/sysinfo.h>

PROBE {
    struct sysinfo machine;
    return tell(sysinfo(&machine));
}
