// Keeps its memory from being swapped out.
// strict: violation mlock()
#include <sys/mman.h>

PROBE {
    static char page[4096];
    return tell(mlock(page, sizeof page));
}
