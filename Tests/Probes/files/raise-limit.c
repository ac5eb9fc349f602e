// Raises its own limit, that of the size of files.
// strict: violation prlimit64()
#include "../probe.h"
#include <sys/resource.h>

PROBE {
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = limit.rlim_max;
    return tell(setrlimit(RLIMIT_FSIZE, &limit));
}
