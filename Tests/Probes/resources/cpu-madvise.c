// Keeps the kernel's memory management busy: takes pages and gives them back, for ever.
// limits: cpuSeconds 1
// strict: limit cpu
#include <sys/mman.h>

PROBE {
    char *space = mmap(NULL, 8 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    while (!spent()) {
        memset(space, 1, 8 << 20);
        madvise(space, 8 << 20, MADV_DONTNEED);
    }
    return tell(0);
}
