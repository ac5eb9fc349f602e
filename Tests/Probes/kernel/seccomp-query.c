// Asks which actions filters may take.
// strict: violation seccomp()
#include <linux/seccomp.h>

PROBE {
    unsigned action = SECCOMP_RET_ALLOW;
    return tell(syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action));
}
