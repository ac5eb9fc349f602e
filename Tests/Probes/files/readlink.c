// Asks where its own program lies.
// strict: refused ENOENT
#include "../probe.h"

PROBE {
    char path[4096];
    return tell(readlink("/proc/self/exe", path, sizeof path));
}
