// Pushes another process's memory out.
// strict: violation process_madvise()
// needs: CAP_SYS_NICE
#include <sys/uio.h>

PROBE {
    static char page[4096] __attribute__((aligned(4096)));
    struct iovec part = {page, sizeof page};
    page[0] = 1;
    if (outside() && dup2((int)syscall(SYS_pidfd_open, somebody(), 0), LEAKED) < 0) give_up("pidfd_open");
    return tell(syscall(SYS_process_madvise, LEAKED, &part, 1, 20 /* MADV_COLD */, 0));
}
