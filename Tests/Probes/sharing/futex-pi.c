// Takes a lock that hands priorities on, which has the kernel look at the holder's thread.
// strict: violation futex(FUTEX_LOCK_PI|FUTEX_PRIVATE_FLAG)
#include <linux/futex.h>

PROBE {
    static uint32_t word;
    return tell(syscall(SYS_futex, &word, FUTEX_LOCK_PI_PRIVATE, 0, NULL));
}
