// Takes little memory and lets it grow.
// limits: memoryMiB 64
// strict: refused ENOMEM
#include <sys/mman.h>

PROBE {
    void *space = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return tell(mremap(space, 4096, 200 << 20, MREMAP_MAYMOVE) == MAP_FAILED ? -1 : 0);
}
