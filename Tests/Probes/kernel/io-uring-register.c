// Registers with a ring that it was born with.
// strict: violation io_uring_register()
// needs: a kernel with io_uring, else ENOSYS EPERM
#include <linux/io_uring.h>

PROBE {
    struct io_uring_params parameters = {0};
    static uint64_t answer[64];
    if (outside()) {
        int ring = (int)syscall(SYS_io_uring_setup, 1, &parameters);
        if (ring < 0) return tell(ring);
        dup2(ring, LEAKED);
    }
    return tell(syscall(SYS_io_uring_register, LEAKED, 8 /* REGISTER_PROBE */, answer, 8));
}
