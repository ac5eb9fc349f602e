// Offers its pages to be merged with equal ones of other processes, which then take longer to write.
// needs: a kernel that merges pages, else EINVAL
// strict: refused EINVAL
#include <sys/mman.h>

PROBE {
    void *space = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return tell(madvise(space, 4096, MADV_MERGEABLE));
}
