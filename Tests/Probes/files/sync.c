// Makes the machine write all its disks.
// strict: violation syncfs()
#include "../probe.h"

PROBE { return tell(syncfs(outside() ? open("canary", O_RDONLY) : 0)); }
