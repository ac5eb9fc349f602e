// Puts pages of its own into a pipe and keeps them, to change them after they were checked.
// strict: violation vmsplice()
#include <sys/uio.h>

PROBE {
    struct iovec bytes = {"x", 1};
    int ends[2] = {0, 1};
    if (outside() && pipe(ends) < 0) give_up("pipe");
    return tell(vmsplice(ends[1], &bytes, 1, 0));
}
