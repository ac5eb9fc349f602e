// Gives the advice -1, which no kernel has: BoringSSL does, and trusts no kernel that says yes. Both say no, and it goes on.
// strict: refused EINVAL
// control: refused EINVAL
#include <sys/mman.h>

PROBE {
    void *space = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return tell(madvise(space, 4096, -1));
}
