// Asks which pages are in memory, which tells what others read.
// strict: violation mincore()
#include <sys/mman.h>

PROBE {
    unsigned char present;
    static char page[4096] __attribute__((aligned(4096)));
    return tell(mincore(page, 4096, &present));
}
