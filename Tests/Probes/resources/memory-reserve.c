// Reserves 8 GiB of address space without using it.
// strict: refused ENOMEM
#include <sys/mman.h>

PROBE {
    void *space = mmap(NULL, 8L << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return tell(space == MAP_FAILED ? -1 : 0);
}
