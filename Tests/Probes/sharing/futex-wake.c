// Wakes whoever waits on a key that other processes may have too: that of a file's page, were its word on one.
// strict: violation futex(FUTEX_WAKE)
#include <linux/futex.h>

PROBE {
    static uint32_t word;
    return tell(syscall(SYS_futex, &word, FUTEX_WAKE, 1));
}
