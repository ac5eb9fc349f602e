// Asks for core files. The limit of 1 is lower than any core, and other than 0 also keeps out a handler that is a pipe.
// strict: violation prlimit64()
#include <sys/resource.h>

PROBE {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) < 0) give_up("getrlimit");
    if (!outside() && (limit.rlim_cur != 1 || limit.rlim_max != 1)) return 9;
    limit.rlim_cur = limit.rlim_max;
    return tell(setrlimit(RLIMIT_CORE, &limit));
}
