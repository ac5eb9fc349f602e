// Opens a TCP socket by a ring, whose operations no filter sees.
// strict: refused ENOSYS
// needs: a kernel with io_uring sockets, else ENOSYS EPERM EINVAL
#include <linux/io_uring.h>
#include <sys/mman.h>

PROBE {
    struct io_uring_params parameters = {0};
    int ring = (int)syscall(SYS_io_uring_setup, 1, &parameters);
    if (ring < 0) return tell(ring);
    char *control = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
    struct io_uring_sqe *entry = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
    if (control == MAP_FAILED || (void *)entry == MAP_FAILED) give_up("mmap");
    entry->opcode = 45;  // IORING_OP_SOCKET, Linux 5.19
    entry->fd = AF_INET;
    entry->off = SOCK_STREAM;
    *(unsigned *)(control + parameters.sq_off.array) = 0;
    ++*(unsigned *)(control + parameters.sq_off.tail);
    if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0) return tell(-1);
    struct io_uring_cqe *done = (void *)(control + parameters.cq_off.cqes);
    if (done->res < 0) errno = -done->res;
    return tell(done->res);
}
