// Gives an advice that only a later kernel may have.
// strict: violation madvise(another MADV)
// control: refused EINVAL
#include <sys/mman.h>

PROBE {
    void *space = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return tell(madvise(space, 4096, 0xfffffffe));
}
