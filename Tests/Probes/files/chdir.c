// Goes to another directory.
// strict: refused ENOENT
#include "../probe.h"

PROBE { return tell(chdir("/usr")); }
