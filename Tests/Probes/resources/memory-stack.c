// Takes memory by calling itself. The control raises the limit of its stack and stops at 16 MiB.
// strict: signal SIGSEGV
#include <sys/resource.h>

static int deeper(int depth) {
    volatile char block[1 << 16];
    block[0] = (char)depth;
    block[sizeof block - 1] = 1;
    return depth == 0 ? block[0] : deeper(depth - 1) + block[sizeof block - 1];
}

PROBE {
    struct rlimit limit = {64 << 20, 64 << 20};
    if (outside() && setrlimit(RLIMIT_STACK, &limit) < 0) give_up("setrlimit");
    return tell(deeper(256) >= 0 ? 0 : -1);
}
