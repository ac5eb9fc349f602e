// Asks for memory that can be both written and run.
// strict: violation mmap(PROT_READ|PROT_WRITE|PROT_EXEC)
#include <sys/mman.h>

PROBE {
    void *page =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return tell(page == MAP_FAILED ? -1 : 0);
}
