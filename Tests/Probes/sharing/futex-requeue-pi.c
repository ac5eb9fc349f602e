// Moves waiters to a lock that hands priorities on.
// strict: violation futex(FUTEX_CMP_REQUEUE_PI|FUTEX_PRIVATE_FLAG)
#include <linux/futex.h>

PROBE {
    static uint32_t words[2];
    return tell(syscall(SYS_futex, &words[0], FUTEX_CMP_REQUEUE_PI_PRIVATE, 1, 0L, &words[1], 0));
}
