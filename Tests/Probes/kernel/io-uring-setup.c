// Makes a ring of io_uring, whose operations no filter sees. Honest runtimes ask for one, so the call is unknown
// rather than forbidden.
// strict: refused ENOSYS
// needs: a kernel with io_uring, else ENOSYS EPERM
#include <linux/io_uring.h>

PROBE {
    struct io_uring_params parameters = {0};
    return tell(syscall(SYS_io_uring_setup, 1, &parameters));
}
