// Runs what it wrote: data that came in as rows becomes code.
// strict: violation mprotect(PROT_READ|PROT_EXEC)
#include <sys/mman.h>

PROBE {
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return tell(-1);
    memset(page, 0xc3, 4096);
    return tell(mprotect(page, 4096, PROT_READ | PROT_EXEC));
}
