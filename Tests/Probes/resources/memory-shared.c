// Takes memory that could be shared, which the system counts elsewhere.
// limits: memoryMiB 64
// strict: refused ENOMEM
#include <sys/mman.h>

PROBE {
    void *space = mmap(NULL, 200 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return tell(space == MAP_FAILED ? -1 : 0);
}
