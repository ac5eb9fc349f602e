// Takes memory as a file, which no limit of address space counts.
// strict: violation memfd_create()
#include <sys/mman.h>

PROBE { return tell(ftruncate(memfd_create("x", 0), 200 << 20)); }
